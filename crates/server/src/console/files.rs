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
      <script type="module" crossorigin src="{root}console/console-ilqgt166.js"></script>
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
    file!("Account-ns2vl0hs.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-l4et454h.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Automations-mo4j1wl5.js", "text/javascript; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-bq2tdgu3.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-mihb2iat.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("Bulk-l1dherra.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-lc5rqtca.js", "text/javascript; charset=utf-8"),
    file!("ColorField-b6727f1n.css", "text/css; charset=utf-8"),
    file!("ColorField-ixgqnz1z.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-lxn2gsoo.js", "text/javascript; charset=utf-8"),
    file!("Commands-abpz74ci.js", "text/javascript; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("CreateDialog-fm59h7mz.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7w42tm2.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Export-jcgp48na.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-isjm28cw.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-cnrc81v8.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("FileField-em9apew2.css", "text/css; charset=utf-8"),
    file!("FileField-ixx7n2zo.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-bb8s7k0x.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-qxn7rle0.css", "text/css; charset=utf-8"),
    file!("Footer-c5p5dful.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-lc54gcld.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Import-tzgqo3dt.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-gkqho7wd.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-dmin8ydh.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-dor5zpo7.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-h1ypifp7.js", "text/javascript; charset=utf-8"),
    file!("JsonField-otzk3iqc.css", "text/css; charset=utf-8"),
    file!("Merge-bmrp2jw2.js", "text/javascript; charset=utf-8"),
    file!("Merge-jnqwkhy3.css", "text/css; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-pewblqyx.js", "text/javascript; charset=utf-8"),
    file!("Outbox-fjw5hoqg.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-oupy4pf1.js", "text/javascript; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-ktx9ixlr.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-kve4gdpv.js", "text/javascript; charset=utf-8"),
    file!("Query-crci0hc5.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-g04o1xr1.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("RecordJson-bhtzehvl.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-nkfmr10s.css", "text/css; charset=utf-8"),
    file!("RecordTags-d38ihy99.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-keybgk9l.css", "text/css; charset=utf-8"),
    file!("Related-cj4gah01.css", "text/css; charset=utf-8"),
    file!("Related-mww7wzzv.js", "text/javascript; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-cs8qy0zc.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-bto3mlyc.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-b441yby4.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-ejgsvijx.js", "text/javascript; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("Tags-bok7k9i5.js", "text/javascript; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Toasts-bjn4laoz.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("ViewDialog-bzynmzxm.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("clipboard.svelte-ool5shug.js", "text/javascript; charset=utf-8"),
    file!("console-c0rqeh07.css", "text/css; charset=utf-8"),
    file!("console-ilqgt166.js", "text/javascript; charset=utf-8"),
    file!("cs-losx090e.js", "text/javascript; charset=utf-8"),
    file!("en-bxbevfjc.js", "text/javascript; charset=utf-8"),
    file!("gone-di5u6uo6.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-bghnc6gm.js", "text/javascript; charset=utf-8"),
    file!("plot-o0gl3eh4.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
