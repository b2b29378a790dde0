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
      <script type="module" crossorigin src="{root}console/console-kpgz9hbo.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-in3s8pg5.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 93] = [
    file!("Account-law7u6cz.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-o1qwo4bg.js", "text/javascript; charset=utf-8"),
    file!("Automations-cr4byuzl.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-igm7f0x3.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-h01ioqeg.js", "text/javascript; charset=utf-8"),
    file!("Bulk-c0z5qrxz.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-n791rzzh.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-m12j9izq.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-g6qv7l4u.js", "text/javascript; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("Commands-lqrhsrgw.js", "text/javascript; charset=utf-8"),
    file!("CreateDialog-jithh1xy.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Entries-l0n8aig9.js", "text/javascript; charset=utf-8"),
    file!("Export-efdqd18e.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-lg7bhv0j.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-lu20qbjf.js", "text/javascript; charset=utf-8"),
    file!("FileField-jh0g9hfc.js", "text/javascript; charset=utf-8"),
    file!("FileField-nzrwvxxw.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-ld1dv1d1.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-ksmnws8u.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-ffvuapcu.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Import-i5cegmwi.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-j6vq1w38.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-beob1hgh.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-i9afrwcn.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-dc7u6qtk.js", "text/javascript; charset=utf-8"),
    file!("JsonField-itbwxa0x.css", "text/css; charset=utf-8"),
    file!("Merge-2dtvpeaj.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-kh1tsxvr.js", "text/javascript; charset=utf-8"),
    file!("Outbox-mkko0jem.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Page-ive17904.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-lgimsjmn.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-b8429ho3.js", "text/javascript; charset=utf-8"),
    file!("Query-c9lx9bs1.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-h0hoor9d.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("RecordJson-lly59e5i.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-idrm2oof.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-kf5l7en4.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-gqwxot6d.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-if4r8a15.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-bhj16l4v.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("State-smf30n9j.js", "text/javascript; charset=utf-8"),
    file!("Tags-ab1s2u2h.js", "text/javascript; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-ixjnoiq3.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-3160mnxt.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("clipboard.svelte-hu97mbwl.js", "text/javascript; charset=utf-8"),
    file!("console-in3s8pg5.css", "text/css; charset=utf-8"),
    file!("console-kpgz9hbo.js", "text/javascript; charset=utf-8"),
    file!("cs-dsibeh8u.js", "text/javascript; charset=utf-8"),
    file!("en-lyyclk4c.js", "text/javascript; charset=utf-8"),
    file!("gone-d2ka05q3.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-e889li2d.js", "text/javascript; charset=utf-8"),
    file!("plot-i8ujtvzx.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
