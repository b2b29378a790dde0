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
      <script type="module" crossorigin src="{root}console/console-ebfspjs2.js"></script>
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
    file!("Account-jnx4hlzm.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-bo6n11s9.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-m8ye553l.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-mga8tsh9.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-jtb1zgf8.js", "text/javascript; charset=utf-8"),
    file!("Bulk-c7geewx1.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("CardBar-c83z39q5.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-hu7n7462.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-nr5cfj51.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-lurwm9sv.js", "text/javascript; charset=utf-8"),
    file!("Commands-h8k71dqf.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-n4r1rrx6.js", "text/javascript; charset=utf-8"),
    file!("Dialog-ih2lrrf3.css", "text/css; charset=utf-8"),
    file!("Dialog-j3lcqooj.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-j8b0zf4n.js", "text/javascript; charset=utf-8"),
    file!("Export-izyj2irx.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-fui4h8hm.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-dp6ibi9g.js", "text/javascript; charset=utf-8"),
    file!("FileField-6vi813or.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-k0vmt8kc.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-g9s9e1fl.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-e6ch9k62.js", "text/javascript; charset=utf-8"),
    file!("Import-k08vhd7v.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-fv5bfjou.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-muq05ehd.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-o13010vc.js", "text/javascript; charset=utf-8"),
    file!("Json-ccl7xa11.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-bcux4g9x.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-g8janmgt.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-fe3rj9tl.js", "text/javascript; charset=utf-8"),
    file!("Merge-mv1touwe.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-ohsv2l84.js", "text/javascript; charset=utf-8"),
    file!("Outbox-h3gtgoqj.js", "text/javascript; charset=utf-8"),
    file!("Page-bhwidp2u.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-jitoo1f1.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-ibdsz1mu.js", "text/javascript; charset=utf-8"),
    file!("Query-eeowqt21.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-gl7rwsph.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-husya14b.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-klf71pmx.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-ipt9qt76.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-b2s2l3ly.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-jmavu0lw.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-fgrp8gvw.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ohd38svi.js", "text/javascript; charset=utf-8"),
    file!("Start-jpr7ky0r.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-b38xjjtk.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-d07pun6u.js", "text/javascript; charset=utf-8"),
    file!("Toasts-man50izj.css", "text/css; charset=utf-8"),
    file!("ValueMenu-b9qafkoz.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-n00rybxu.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-bjrxe2s4.js", "text/javascript; charset=utf-8"),
    file!("console-ebfspjs2.js", "text/javascript; charset=utf-8"),
    file!("console-khjnq0r7.css", "text/css; charset=utf-8"),
    file!("cs-f7ndc8x7.js", "text/javascript; charset=utf-8"),
    file!("editBatch-j10hy551.js", "text/javascript; charset=utf-8"),
    file!("en-b3swq6do.js", "text/javascript; charset=utf-8"),
    file!("jobs-jvfwglux.js", "text/javascript; charset=utf-8"),
    file!("keptstore-ghplnj19.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-n6y1irfc.js", "text/javascript; charset=utf-8"),
    file!("more-e1j5gcqh.js", "text/javascript; charset=utf-8"),
    file!("more-nfj5y6m2.js", "text/javascript; charset=utf-8"),
    file!("parse-m08pjkax.js", "text/javascript; charset=utf-8"),
    file!("plot-lg4ap8rb.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-dyx9bwzi.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-nlx3r5nl.js", "text/javascript; charset=utf-8"),
    file!("selection-rfqhsffc.js", "text/javascript; charset=utf-8"),
];
