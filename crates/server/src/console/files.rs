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
      <script type="module" crossorigin src="{root}console/console-oyaktnnr.js"></script>
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
    file!("Account-i7c6vxjb.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-kk73km8b.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-mo8mog5u.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-hvp8e95a.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-loh0i69f.js", "text/javascript; charset=utf-8"),
    file!("Bulk-fn3k4ns0.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("CardBar-dfp22oph.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-kde5mct3.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-y0gihzxc.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-kaxv3u4o.js", "text/javascript; charset=utf-8"),
    file!("Commands-ffuo3s2d.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-eizd9cwq.js", "text/javascript; charset=utf-8"),
    file!("Dialog-d4d6ynd0.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-nm16x45p.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-msnwttk4.js", "text/javascript; charset=utf-8"),
    file!("Facts-f028mh5j.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-nwueq6sc.js", "text/javascript; charset=utf-8"),
    file!("FileField-hea9hykm.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dmm8l68e.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-og0eoq0n.js", "text/javascript; charset=utf-8"),
    file!("Help-acahrnsb.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Import-n2bhna3z.js", "text/javascript; charset=utf-8"),
    file!("Inbox-b7tu69or.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("JobProgress-ovg2vlrx.js", "text/javascript; charset=utf-8"),
    file!("Jobs-c18vi5p1.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Json-dulplx5c.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-nhalvcii.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-gwsupsgx.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-bsv7ogab.js", "text/javascript; charset=utf-8"),
    file!("Merge-nue9ccvn.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-gk19g8fa.js", "text/javascript; charset=utf-8"),
    file!("Outbox-b5x4ctm3.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-lft4qdbk.js", "text/javascript; charset=utf-8"),
    file!("Parameters-e6i6scj8.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-dumxxzq7.js", "text/javascript; charset=utf-8"),
    file!("Query-hlq8h69n.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-ezsu0dct.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-fqda0jl0.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordJson-nur098cx.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-i26bgdzp.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-pd9j6t3d.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-nolyvgxl.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-jmnzzdw8.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ib1dea6u.js", "text/javascript; charset=utf-8"),
    file!("Start-bo4931vx.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-khhwk1rh.js", "text/javascript; charset=utf-8"),
    file!("Toasts-i5tyj5vl.js", "text/javascript; charset=utf-8"),
    file!("Toasts-man50izj.css", "text/css; charset=utf-8"),
    file!("ValueMenu-nfdjsie6.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-mfxv9u4g.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-jnwvzytq.js", "text/javascript; charset=utf-8"),
    file!("console-khjnq0r7.css", "text/css; charset=utf-8"),
    file!("console-oyaktnnr.js", "text/javascript; charset=utf-8"),
    file!("cs-f7ndc8x7.js", "text/javascript; charset=utf-8"),
    file!("editBatch-l9kwwc61.js", "text/javascript; charset=utf-8"),
    file!("en-b3swq6do.js", "text/javascript; charset=utf-8"),
    file!("jobs-jdux7wxf.js", "text/javascript; charset=utf-8"),
    file!("keptstore-gqisy9jq.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-oz1bvmll.js", "text/javascript; charset=utf-8"),
    file!("more-hyxxtejp.js", "text/javascript; charset=utf-8"),
    file!("more-j21wfdio.js", "text/javascript; charset=utf-8"),
    file!("parse-d8snmmp0.js", "text/javascript; charset=utf-8"),
    file!("plot-ksked4tf.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-ixvd9289.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-n0wsne2u.js", "text/javascript; charset=utf-8"),
    file!("selection-c8o61n60.js", "text/javascript; charset=utf-8"),
];
