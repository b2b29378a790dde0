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
      <script type="module" crossorigin src="{root}console/console-ny5hnrrv.js"></script>
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
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Account-og2m3rg3.js", "text/javascript; charset=utf-8"),
    file!("Audit-bi2a7y7l.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-os8ifqkm.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("Board-l7d39knb.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-ggsosv7c.js", "text/javascript; charset=utf-8"),
    file!("Bulk-j78rncyw.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-hwz5qiy9.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-e4xeuwan.js", "text/javascript; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CellEditor-d6yi6xb8.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-igjo9iab.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-nc9qjs2w.js", "text/javascript; charset=utf-8"),
    file!("Commands-l0y4v1hr.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ehm06m4d.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Dialog-kzk1grew.js", "text/javascript; charset=utf-8"),
    file!("Entries-hubuu5e1.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-lrl7v3r3.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Facts-nxj09ucy.js", "text/javascript; charset=utf-8"),
    file!("Field-brbj4363.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FileField-osb6vyuf.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-eb3kixcy.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-n50cneq0.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-dm02nlaa.js", "text/javascript; charset=utf-8"),
    file!("Import-esbekvcz.css", "text/css; charset=utf-8"),
    file!("Import-hkikg6ie.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-enhyf93u.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-duj012bk.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-fqlie4kz.js", "text/javascript; charset=utf-8"),
    file!("Json-iv3cgesw.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-bsv08qpr.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-gdktkqwj.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-do2bsc27.js", "text/javascript; charset=utf-8"),
    file!("Merge-n795zt28.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-ceaq6k8v.js", "text/javascript; charset=utf-8"),
    file!("Outbox-lihklhfm.js", "text/javascript; charset=utf-8"),
    file!("Page-b0jxsxpd.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-eylg7nth.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-dswzkl1h.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-nxv63227.js", "text/javascript; charset=utf-8"),
    file!("Reads-ldo04sio.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-ee0fpzib.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-k9k03rid.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-dy8r4x1j.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-gcahvkzn.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-hoezdr7r.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-kzh60f28.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-k6m7uz92.js", "text/javascript; charset=utf-8"),
    file!("Start-ffutqonv.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-b7gj63jq.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-dbwk7ggg.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("ValueMenu-hyx1441d.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-kggdnzeo.js", "text/javascript; charset=utf-8"),
    file!("badRows-itpa61c8.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-m2632l0t.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-in6bha88.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-ny5hnrrv.js", "text/javascript; charset=utf-8"),
    file!("cs-jo7ryyml.js", "text/javascript; charset=utf-8"),
    file!("editBatch-i0zas4x2.js", "text/javascript; charset=utf-8"),
    file!("en-cpc2nycs.js", "text/javascript; charset=utf-8"),
    file!("format-flk6fdzx.js", "text/javascript; charset=utf-8"),
    file!("keptstore-glwcjlwo.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-0y105l2l.js", "text/javascript; charset=utf-8"),
    file!("more-cpy78bxv.js", "text/javascript; charset=utf-8"),
    file!("more-mcpiq2k5.js", "text/javascript; charset=utf-8"),
    file!("parse-jw8ozys2.js", "text/javascript; charset=utf-8"),
    file!("plot-n0n1rab5.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-inh4jb00.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-kmt5vadt.js", "text/javascript; charset=utf-8"),
    file!("selection-l29n1num.js", "text/javascript; charset=utf-8"),
    file!("undoing-naysem1l.js", "text/javascript; charset=utf-8"),
];
