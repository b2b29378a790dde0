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
      <script type="module" crossorigin src="{root}console/console-f8x0wvla.js"></script>
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
    file!("Account-neqw3nek.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-mwu693m1.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-jz9bve55.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-e6ds8w4j.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-dlfhnd41.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("Bulk-n1tkaett.js", "text/javascript; charset=utf-8"),
    file!("CardBar-hv5t8yxw.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-l17c1jk8.js", "text/javascript; charset=utf-8"),
    file!("ColorField-fsf3188q.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-grs2mjlm.js", "text/javascript; charset=utf-8"),
    file!("Commands-hb4j0e8e.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-f3wfdzdg.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Dialog-izd9bhiq.js", "text/javascript; charset=utf-8"),
    file!("Entries-dfvubgbh.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-m7tok0fr.js", "text/javascript; charset=utf-8"),
    file!("Facts-dgrtd2hm.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-kcd3p3s2.js", "text/javascript; charset=utf-8"),
    file!("FileField-czzc1edl.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-e2m54ipf.js", "text/javascript; charset=utf-8"),
    file!("Footer-b6ak0kt8.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-hv7o4spg.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Import-n4fpee8i.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-ln226fal.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-corg3p0s.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-d66a47ts.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-n075zgnb.js", "text/javascript; charset=utf-8"),
    file!("JsonField-byhu0cqc.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-eatfiq74.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-lxfluimu.js", "text/javascript; charset=utf-8"),
    file!("Merge-j7lbfkez.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-jfgr5a9k.js", "text/javascript; charset=utf-8"),
    file!("Outbox-lfa6pckn.js", "text/javascript; charset=utf-8"),
    file!("Page-g5tswm8q.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("Parameters-l560vhaz.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-ikxbcf8b.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-otlxh6pb.js", "text/javascript; charset=utf-8"),
    file!("Reads-g51l8cmw.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-dyr9hnq9.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-d3fy5cev.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-hkelrio1.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ld9vw7hh.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-dmgos1eo.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-elnwslyb.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ekmc69se.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("Start-cko400l5.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-uj5ugdj2.js", "text/javascript; charset=utf-8"),
    file!("Toasts-l9p23o70.js", "text/javascript; charset=utf-8"),
    file!("Toasts-man50izj.css", "text/css; charset=utf-8"),
    file!("ValueMenu-cso85gd0.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-wcoosu3c.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-dv22jimr.js", "text/javascript; charset=utf-8"),
    file!("console-f8x0wvla.js", "text/javascript; charset=utf-8"),
    file!("console-khjnq0r7.css", "text/css; charset=utf-8"),
    file!("cs-f7ndc8x7.js", "text/javascript; charset=utf-8"),
    file!("editBatch-hso6jk9n.js", "text/javascript; charset=utf-8"),
    file!("en-b3swq6do.js", "text/javascript; charset=utf-8"),
    file!("jobs-c0ykxdcg.js", "text/javascript; charset=utf-8"),
    file!("keptstore-ceelywj7.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-n1wxld6y.js", "text/javascript; charset=utf-8"),
    file!("more-hyxxtejp.js", "text/javascript; charset=utf-8"),
    file!("more-j21wfdio.js", "text/javascript; charset=utf-8"),
    file!("parse-hsc1pik3.js", "text/javascript; charset=utf-8"),
    file!("plot-o716as67.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-o7lruhie.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-imjlu9yw.js", "text/javascript; charset=utf-8"),
    file!("selection-oj4h8qks.js", "text/javascript; charset=utf-8"),
];
