//! The files of the console, as `console/embed.mjs` lists them after each build. Not edited by hand.

use super::ConsoleFile;

macro_rules! file {
    ($name:literal, $media_type:literal) => {
        ConsoleFile {
            name: $name,
            media_type: $media_type,
            brotli: include_bytes!(concat!("../../../../console/dist/", $name, ".br")),
            gzip: include_bytes!(concat!("../../../../console/dist/", $name, ".gz")),
        }
    };
}

/// The page of all places.
pub(super) const PAGE: &str = r##"<!doctype html>
<html lang="en">
    <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-g9lvlkbd.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c9y0lges.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 113] = [
    file!("Account-fctwnfu9.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-mczwo7mn.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-hl466v2o.js", "text/javascript; charset=utf-8"),
    file!("Board-cxw82bql.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-d8kmjlq5.js", "text/javascript; charset=utf-8"),
    file!("Bulk-bo14h07m.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-dv6ie0ux.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CardBar-fh41c5wu.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-exvevfi7.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-cyppqeq9.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-dqxme3uu.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("Commands-ch08xbnq.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-oxsygbxh.js", "text/javascript; charset=utf-8"),
    file!("Dialog-jneq1l87.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-mcsw542l.js", "text/javascript; charset=utf-8"),
    file!("Export-d65koowy.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-5xr2yenr.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-l0zr694l.js", "text/javascript; charset=utf-8"),
    file!("FileField-g95v3dzo.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-zs4ckr4x.js", "text/javascript; charset=utf-8"),
    file!("Footer-bonwc142.js", "text/javascript; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-eq8ad652.js", "text/javascript; charset=utf-8"),
    file!("Import-esbekvcz.css", "text/css; charset=utf-8"),
    file!("Import-ltyq9p1o.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-mgr890hw.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-h0dalw0g.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-cndx0ty0.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-kd8jgct9.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-hp5pol11.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-ffl58pyf.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-fydob72h.js", "text/javascript; charset=utf-8"),
    file!("Merge-k6z2hw7s.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-epak0m4a.js", "text/javascript; charset=utf-8"),
    file!("Outbox-hjg4cxo3.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-lb6yksf2.js", "text/javascript; charset=utf-8"),
    file!("Parameters-46znkmvl.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-95if2y92.js", "text/javascript; charset=utf-8"),
    file!("Query-ls3vy92g.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-k99dths7.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-in2kqpew.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-d5ocmakc.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-g37sot37.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-d66xrlj4.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-oszzjoap.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-kkwm8dgt.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ndei40lq.js", "text/javascript; charset=utf-8"),
    file!("Start-ljoiurxo.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-ewtzzumy.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-jval4n2v.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-j14337yk.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("ViewDialog-ihptw767.js", "text/javascript; charset=utf-8"),
    file!("badRows-cul8jd97.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-mxxome62.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-dpvo11dz.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-g9lvlkbd.js", "text/javascript; charset=utf-8"),
    file!("cs-jo7ryyml.js", "text/javascript; charset=utf-8"),
    file!("editBatch-msihlxql.js", "text/javascript; charset=utf-8"),
    file!("en-ggeovfq4.js", "text/javascript; charset=utf-8"),
    file!("format-kljvx52h.js", "text/javascript; charset=utf-8"),
    file!("keptstore-dpf090o2.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-lhcz2g19.js", "text/javascript; charset=utf-8"),
    file!("more-jsh8ulcu.js", "text/javascript; charset=utf-8"),
    file!("more-ma2e47qb.js", "text/javascript; charset=utf-8"),
    file!("parse-gr1bte08.js", "text/javascript; charset=utf-8"),
    file!("plot-i48en895.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-dp6fkgwl.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-k0pgousj.js", "text/javascript; charset=utf-8"),
    file!("selection-cpcger9e.js", "text/javascript; charset=utf-8"),
    file!("undoing-dydfqemr.js", "text/javascript; charset=utf-8"),
];
