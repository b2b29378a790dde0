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
      <script type="module" crossorigin src="{root}console/console-e5orjv90.js"></script>
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
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Account-pdzvp80l.js", "text/javascript; charset=utf-8"),
    file!("Audit-lj7fxot2.js", "text/javascript; charset=utf-8"),
    file!("Automations-i2tfl7nh.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-fui64tnq.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-teubhapl.js", "text/javascript; charset=utf-8"),
    file!("Bulk-cflym5uo.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-ih1kx7cc.js", "text/javascript; charset=utf-8"),
    file!("ColorField-b6727f1n.css", "text/css; charset=utf-8"),
    file!("ColorField-kffds6sw.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-5lck5k8g.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("Commands-btwk5onk.js", "text/javascript; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("CreateDialog-e117xfpa.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Entries-kdl1g364.js", "text/javascript; charset=utf-8"),
    file!("Export-gfwf6xhb.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-lvwd9fv4.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-ijzhc1p4.js", "text/javascript; charset=utf-8"),
    file!("FileField-em9apew2.css", "text/css; charset=utf-8"),
    file!("FileField-n5bslnka.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-k4h2s9yi.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-qxn7rle0.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-nsp7o6oo.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-hacxhdmj.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Import-lgw82hue.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-ga88jv4c.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-e1686qtr.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-ljbqaav5.js", "text/javascript; charset=utf-8"),
    file!("JsonField-hrmapwqu.js", "text/javascript; charset=utf-8"),
    file!("JsonField-otzk3iqc.css", "text/css; charset=utf-8"),
    file!("Merge-bxqrh6kj.js", "text/javascript; charset=utf-8"),
    file!("Merge-jnqwkhy3.css", "text/css; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-lvuq51ic.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Outbox-o1u7e6bz.js", "text/javascript; charset=utf-8"),
    file!("Page-il2c7o0v.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-e9sgw3ao.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-dqq0kyl6.js", "text/javascript; charset=utf-8"),
    file!("Query-go7sc5ue.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-l616e99p.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("RecordJson-mppjocc2.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-nkfmr10s.css", "text/css; charset=utf-8"),
    file!("RecordTags-djz6uz3a.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-keybgk9l.css", "text/css; charset=utf-8"),
    file!("Related-cj4gah01.css", "text/css; charset=utf-8"),
    file!("Related-f3du08of.js", "text/javascript; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-hb9068eo.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-kxfnj9vd.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-cohyztwc.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-d73zltfb.js", "text/javascript; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Tags-g1qrzc21.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-kd3csbn9.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("ViewDialog-dctyf918.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-lkjf712e.js", "text/javascript; charset=utf-8"),
    file!("console-c0rqeh07.css", "text/css; charset=utf-8"),
    file!("console-e5orjv90.js", "text/javascript; charset=utf-8"),
    file!("cs-losx090e.js", "text/javascript; charset=utf-8"),
    file!("en-bxbevfjc.js", "text/javascript; charset=utf-8"),
    file!("gone-m07uoy0z.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-evpj4wfd.js", "text/javascript; charset=utf-8"),
    file!("plot-nmvffwpz.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
