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
      <script type="module" crossorigin src="{root}console/console-i4zd8upy.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-n7hg46zf.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 103] = [
    file!("Account-iaeifr01.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-g60saa37.js", "text/javascript; charset=utf-8"),
    file!("Automations-cg919gq2.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-ceo25h2l.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-lbx1k460.js", "text/javascript; charset=utf-8"),
    file!("Bulk-d4adq8iy.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CardBar-f89bepzu.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-k5z5zzos.js", "text/javascript; charset=utf-8"),
    file!("ColorField-hxc1d1y1.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-gfrhy245.js", "text/javascript; charset=utf-8"),
    file!("Commands-iqtnwwq6.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-kl9qca6m.js", "text/javascript; charset=utf-8"),
    file!("Dialog-dpt8x0s5.css", "text/css; charset=utf-8"),
    file!("Dialog-opynnov3.js", "text/javascript; charset=utf-8"),
    file!("Entries-h3gbyj7v.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-dg7rnu2j.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-kkivd0d8.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-ivrz43bd.js", "text/javascript; charset=utf-8"),
    file!("FileField-fhzhwx0b.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-c9f04rik.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-mgkw5xs4.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-jvq8tsng.js", "text/javascript; charset=utf-8"),
    file!("Import-buh6x0xm.js", "text/javascript; charset=utf-8"),
    file!("Import-k43d075m.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-lzqe3xdx.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-kqpgb1p9.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-jjpvb377.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-iswazw5y.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-kcy6htnx.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-nkmcjiio.js", "text/javascript; charset=utf-8"),
    file!("Merge-d85xnq0v.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-glkvsqh9.js", "text/javascript; charset=utf-8"),
    file!("Outbox-cui9dpjh.js", "text/javascript; charset=utf-8"),
    file!("Page-es6g91a9.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-bjk4j4k5.css", "text/css; charset=utf-8"),
    file!("Parameters-mgco49eg.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-fr9jzbw1.js", "text/javascript; charset=utf-8"),
    file!("Query-gqdf83j3.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-jc62ewa7.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-gxsghgz7.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordJson-o0jfxvey.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mcxkxjx2.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-g9utw0ml.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-d3w2q7p6.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-ccsrnton.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ja83xilz.js", "text/javascript; charset=utf-8"),
    file!("Start-bwe42xvq.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-m6idtuvq.js", "text/javascript; charset=utf-8"),
    file!("Toasts-c1ysj1z4.js", "text/javascript; charset=utf-8"),
    file!("Toasts-l7dg7y5e.css", "text/css; charset=utf-8"),
    file!("ValueMenu-nbovwh90.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-lpn3dd1s.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-kkidtir2.js", "text/javascript; charset=utf-8"),
    file!("console-i4zd8upy.js", "text/javascript; charset=utf-8"),
    file!("console-n7hg46zf.css", "text/css; charset=utf-8"),
    file!("cs-goexznhq.js", "text/javascript; charset=utf-8"),
    file!("editBatch-nouuha6h.js", "text/javascript; charset=utf-8"),
    file!("en-edqaw42k.js", "text/javascript; charset=utf-8"),
    file!("keptstore-uzmoimjk.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-npp802k9.js", "text/javascript; charset=utf-8"),
    file!("more-koldp4ov.js", "text/javascript; charset=utf-8"),
    file!("more-nm5jv4pg.js", "text/javascript; charset=utf-8"),
    file!("parse-gx18kh6b.js", "text/javascript; charset=utf-8"),
    file!("plot-ek55rlcn.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("selection-cjcg6ase.js", "text/javascript; charset=utf-8"),
];
