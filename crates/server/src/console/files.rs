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
      <script type="module" crossorigin src="{root}console/console-kb5ir1pu.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-khjnq0r7.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 108] = [
    file!("Account-f0plfytu.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-fv8b7eep.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-php9o9yh.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-ffo1ew5p.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-g0wizj2f.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("Bulk-mz0y5mo7.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CardBar-lak3tr4z.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-k1lnqlhr.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-mvr4zlmi.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-f2pxa7te.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("Commands-lg05iimh.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-bk7qg7zi.js", "text/javascript; charset=utf-8"),
    file!("Dialog-e93lcd3m.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Entries-gam2bm3o.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-v8f6677p.js", "text/javascript; charset=utf-8"),
    file!("Facts-mbel8cmh.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-fjpwxdg5.js", "text/javascript; charset=utf-8"),
    file!("FileField-bqrotpfc.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-mm8207go.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-l1pskyi4.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-hoknpsnx.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Import-o51an46n.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-jp2izh39.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-lh0m1dr2.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-ecr05m2a.js", "text/javascript; charset=utf-8"),
    file!("Json-d1s6vjgq.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-e8xyfmw0.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-oft529rx.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-he8ps3ig.js", "text/javascript; charset=utf-8"),
    file!("Merge-jmokhaj7.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-n1oyi93b.js", "text/javascript; charset=utf-8"),
    file!("Outbox-m9pr0dp9.js", "text/javascript; charset=utf-8"),
    file!("Page-h6yta70c.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-bx0gzrlw.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-jc269w7x.js", "text/javascript; charset=utf-8"),
    file!("Query-gq7tlpvl.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-ii2xf6r8.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-h3hpqrzp.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-cp4qecma.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-pd7tkvjb.js", "text/javascript; charset=utf-8"),
    file!("Related-k2srbao7.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-c9dk7mze.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-dfqmpmqe.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-kxypufac.js", "text/javascript; charset=utf-8"),
    file!("Start-gtkycofy.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-hcgowe74.js", "text/javascript; charset=utf-8"),
    file!("Toasts-j4x6b7av.js", "text/javascript; charset=utf-8"),
    file!("Toasts-man50izj.css", "text/css; charset=utf-8"),
    file!("ValueMenu-olh8qbr2.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-kwg70uwu.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-m55exhl7.js", "text/javascript; charset=utf-8"),
    file!("console-kb5ir1pu.js", "text/javascript; charset=utf-8"),
    file!("console-khjnq0r7.css", "text/css; charset=utf-8"),
    file!("cs-f7ndc8x7.js", "text/javascript; charset=utf-8"),
    file!("editBatch-epve4pe7.js", "text/javascript; charset=utf-8"),
    file!("en-b3swq6do.js", "text/javascript; charset=utf-8"),
    file!("jobs-hzpp76dr.js", "text/javascript; charset=utf-8"),
    file!("keptstore-efmwnt81.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-fud42p4l.js", "text/javascript; charset=utf-8"),
    file!("more-hyxxtejp.js", "text/javascript; charset=utf-8"),
    file!("more-j21wfdio.js", "text/javascript; charset=utf-8"),
    file!("parse-lfcuxuvz.js", "text/javascript; charset=utf-8"),
    file!("plot-j9m55fkh.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-eoiamqp6.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-maysleu3.js", "text/javascript; charset=utf-8"),
    file!("selection-jwu8kc21.js", "text/javascript; charset=utf-8"),
];
