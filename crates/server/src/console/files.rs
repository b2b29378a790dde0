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
      <script type="module" crossorigin src="{root}console/console-ns0kriiw.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-215s7icy.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 93] = [
    file!("Account-nvlu5jta.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-hnbcvjcy.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Automations-osux86g3.js", "text/javascript; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-gg5fxr3d.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-ocfvhq3g.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("Bulk-mpfd1i24.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-fkdw1vxy.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-b6727f1n.css", "text/css; charset=utf-8"),
    file!("ColorField-dhczhcvx.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-hlmnp41y.js", "text/javascript; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("Commands-mhc1e9ti.js", "text/javascript; charset=utf-8"),
    file!("CreateDialog-hdlpsael.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Entries-mfgqem8v.js", "text/javascript; charset=utf-8"),
    file!("Export-d4tr33yu.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-cqpdsw8e.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-jo8erb12.js", "text/javascript; charset=utf-8"),
    file!("FileField-em9apew2.css", "text/css; charset=utf-8"),
    file!("FileField-i93k1jy8.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-fb9a7095.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-jexx4zvw.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-gm7bc7cy.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Import-gsnc4vxe.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-ctalnnml.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("JobProgress-og1hwrbq.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-jn83u2mk.js", "text/javascript; charset=utf-8"),
    file!("JsonField-j1d1d9ii.js", "text/javascript; charset=utf-8"),
    file!("JsonField-otzk3iqc.css", "text/css; charset=utf-8"),
    file!("Merge-jnqwkhy3.css", "text/css; charset=utf-8"),
    file!("Merge-njgabkn8.js", "text/javascript; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-euhq6rsk.js", "text/javascript; charset=utf-8"),
    file!("Outbox-ig52560n.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Page-f7dds9nv.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-m6nhxtdr.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-jfptow9d.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-oy38njal.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("Reads-ohyja1a1.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-jcmnedey.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-nkfmr10s.css", "text/css; charset=utf-8"),
    file!("RecordTags-ez3qtks3.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-keybgk9l.css", "text/css; charset=utf-8"),
    file!("Related-cj4gah01.css", "text/css; charset=utf-8"),
    file!("Related-kkguxdq9.js", "text/javascript; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-fi9hp0iv.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SignInAgain-pjmh6ph6.js", "text/javascript; charset=utf-8"),
    file!("Start-lso2m9q9.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("State-o2l8eq6m.js", "text/javascript; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Tags-d4ekserp.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-fouadxe8.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("ViewDialog-os4issr6.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-bdcpqc33.js", "text/javascript; charset=utf-8"),
    file!("console-215s7icy.css", "text/css; charset=utf-8"),
    file!("console-ns0kriiw.js", "text/javascript; charset=utf-8"),
    file!("cs-g23sgnk6.js", "text/javascript; charset=utf-8"),
    file!("en-creajv48.js", "text/javascript; charset=utf-8"),
    file!("gone-e9j1t3gh.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-g3gb5s9c.js", "text/javascript; charset=utf-8"),
    file!("plot-e02jlyao.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
