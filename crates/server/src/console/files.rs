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
      <script type="module" crossorigin src="{root}console/console-o08q12cg.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c0rqeh07.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 93] = [
    file!("Account-exgas7oi.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-k1y2q6p1.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Automations-oln1ou83.js", "text/javascript; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-g5y2d41f.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-oxmc7420.js", "text/javascript; charset=utf-8"),
    file!("Bulk-b0f2uien.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-ov2a3791.js", "text/javascript; charset=utf-8"),
    file!("ColorField-b6727f1n.css", "text/css; charset=utf-8"),
    file!("ColorField-dz628n6u.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-18oy4qr1.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("Commands-h8i34duz.js", "text/javascript; charset=utf-8"),
    file!("CreateDialog-kb4k9f98.js", "text/javascript; charset=utf-8"),
    file!("Entries-hjhnwlp0.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Export-c7nagm50.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Facts-ow7oa914.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-fuf122yq.js", "text/javascript; charset=utf-8"),
    file!("FileField-em9apew2.css", "text/css; charset=utf-8"),
    file!("FileField-lm1vagdj.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-ntjdxnov.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-qxn7rle0.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-imtk2xpp.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-l35tpqi3.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Import-lj6jnmz7.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-pc7xusfi.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-g8ghf0am.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-cw11kkqf.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-j3dbiaon.js", "text/javascript; charset=utf-8"),
    file!("JsonField-otzk3iqc.css", "text/css; charset=utf-8"),
    file!("Merge-ia957aa6.js", "text/javascript; charset=utf-8"),
    file!("Merge-jnqwkhy3.css", "text/css; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-l5a7vvjp.js", "text/javascript; charset=utf-8"),
    file!("Outbox-lnfv0gnh.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Page-jg4t65xd.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-ojo9vfl5.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-ii8666o3.js", "text/javascript; charset=utf-8"),
    file!("Query-hiuhdnxo.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-bp8ddjr6.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("RecordJson-gebn9frw.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-nkfmr10s.css", "text/css; charset=utf-8"),
    file!("RecordTags-ar2hl26c.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-keybgk9l.css", "text/css; charset=utf-8"),
    file!("Related-cj4gah01.css", "text/css; charset=utf-8"),
    file!("Related-gwozgnf1.js", "text/javascript; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-dcjtoyv2.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-hkwxdu7n.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-dmcmbzvd.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-hpf3nzrr.js", "text/javascript; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Tags-gsgsh9jv.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-mi4c7ff6.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-cxa72ild.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("clipboard.svelte-fx0g6n1q.js", "text/javascript; charset=utf-8"),
    file!("console-c0rqeh07.css", "text/css; charset=utf-8"),
    file!("console-o08q12cg.js", "text/javascript; charset=utf-8"),
    file!("cs-losx090e.js", "text/javascript; charset=utf-8"),
    file!("en-bxbevfjc.js", "text/javascript; charset=utf-8"),
    file!("gone-kx9nzleu.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-l6vv3n44.js", "text/javascript; charset=utf-8"),
    file!("plot-j383ywk3.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
