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
      <script type="module" crossorigin src="{root}console/console-iz0iu7m5.js"></script>
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
    file!("Account-03btqc1v.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-ldg805mt.js", "text/javascript; charset=utf-8"),
    file!("Automations-lp98xqhu.css", "text/css; charset=utf-8"),
    file!("Automations-mumrbdmv.js", "text/javascript; charset=utf-8"),
    file!("Board-9u7zjzuc.css", "text/css; charset=utf-8"),
    file!("Board-cfnk9114.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-iig4m61t.js", "text/javascript; charset=utf-8"),
    file!("Bulk-1vr2gu09.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("CellEditor-hike39j8.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-b6727f1n.css", "text/css; charset=utf-8"),
    file!("ColorField-f0tt7x06.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-bg3mfmpp.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("Commands-80i1qxy3.js", "text/javascript; charset=utf-8"),
    file!("Commands-f2x1v6t7.css", "text/css; charset=utf-8"),
    file!("CreateDialog-nr6v6485.js", "text/javascript; charset=utf-8"),
    file!("Entries-ix8ioq0h.css", "text/css; charset=utf-8"),
    file!("Entries-j3r2evtf.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-o7y2atfy.js", "text/javascript; charset=utf-8"),
    file!("Facts-mc60uowb.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-idaynzyi.js", "text/javascript; charset=utf-8"),
    file!("FileField-em9apew2.css", "text/css; charset=utf-8"),
    file!("FileField-klxuz74h.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-b2pw7iwb.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("Footer-e46wyzsy.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-ksmnwukv.js", "text/javascript; charset=utf-8"),
    file!("Import-ck488km3.js", "text/javascript; charset=utf-8"),
    file!("Import-cna91p7o.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-mqpsrq8z.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-ll77k7ty.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-hp8jrj2s.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-ci8nc5dw.js", "text/javascript; charset=utf-8"),
    file!("JsonField-otzk3iqc.css", "text/css; charset=utf-8"),
    file!("Merge-jnqwkhy3.css", "text/css; charset=utf-8"),
    file!("Merge-k2nrhnh0.js", "text/javascript; charset=utf-8"),
    file!("Operate-envaygzt.css", "text/css; charset=utf-8"),
    file!("Operate-id3mihkj.js", "text/javascript; charset=utf-8"),
    file!("Outbox-fku9eyym.js", "text/javascript; charset=utf-8"),
    file!("Outbox-n98mcalt.css", "text/css; charset=utf-8"),
    file!("Page-dvk6lqql.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cscqw79i.css", "text/css; charset=utf-8"),
    file!("Parameters-iy3243be.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-kncceexa.js", "text/javascript; charset=utf-8"),
    file!("Query-8mkeoz7s.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-h55pru3w.js", "text/javascript; charset=utf-8"),
    file!("Reads-lse9xmdi.css", "text/css; charset=utf-8"),
    file!("RecordJson-g4flge80.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-nkfmr10s.css", "text/css; charset=utf-8"),
    file!("RecordTags-gb71uq6r.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-keybgk9l.css", "text/css; charset=utf-8"),
    file!("Related-cj4gah01.css", "text/css; charset=utf-8"),
    file!("Related-f23s3d74.js", "text/javascript; charset=utf-8"),
    file!("Runs-couu5e8u.css", "text/css; charset=utf-8"),
    file!("Runs-llv6y34e.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-hi0ae67a.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("Start-owxz90eb.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("State-htqnqpb4.css", "text/css; charset=utf-8"),
    file!("State-kud8mecu.js", "text/javascript; charset=utf-8"),
    file!("Tags-c87ec8ll.css", "text/css; charset=utf-8"),
    file!("Tags-ijzufwpi.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("Toasts-d6rhll8m.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("ViewDialog-oktca5ar.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-h7duznkh.js", "text/javascript; charset=utf-8"),
    file!("console-215s7icy.css", "text/css; charset=utf-8"),
    file!("console-iz0iu7m5.js", "text/javascript; charset=utf-8"),
    file!("cs-dsibeh8u.js", "text/javascript; charset=utf-8"),
    file!("en-jydnjz3b.js", "text/javascript; charset=utf-8"),
    file!("gone-g5bbbtvc.js", "text/javascript; charset=utf-8"),
    file!("more-iiyfveh0.js", "text/javascript; charset=utf-8"),
    file!("more-nrkf70hp.js", "text/javascript; charset=utf-8"),
    file!("parse-bccl4mm0.js", "text/javascript; charset=utf-8"),
    file!("plot-n7g89u39.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
];
