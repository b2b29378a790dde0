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
      <script type="module" crossorigin src="{root}console/console-kl3ha6h9.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c9y0lges.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 111] = [
    file!("Account-ntfztlti.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-eijbstke.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-j74gk1q3.js", "text/javascript; charset=utf-8"),
    file!("Board-brvc8ktf.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-mqd6n6ch.js", "text/javascript; charset=utf-8"),
    file!("Bulk-079jnqbt.js", "text/javascript; charset=utf-8"),
    file!("Bulk-jmrign6m.css", "text/css; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CardBar-op9mhnrx.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-j0mc3s0n.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-or886knu.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-kszvllv9.js", "text/javascript; charset=utf-8"),
    file!("Commands-bmgdb906.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-jo6o2pgn.js", "text/javascript; charset=utf-8"),
    file!("Dialog-fffcn7u8.css", "text/css; charset=utf-8"),
    file!("Dialog-n2v84gqm.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-nrdwgnug.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-onwqmmmk.js", "text/javascript; charset=utf-8"),
    file!("Facts-mm3mbfvn.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-cit7wr27.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("FileField-j0kkhde0.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-de5s67i2.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-nhtjx1s2.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-lbzdrd1s.js", "text/javascript; charset=utf-8"),
    file!("Import-f3ixthpn.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-i4q7sskr.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-d682wcb8.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-eb1rrwc6.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-mhv5rppx.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gezq8mc7.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-lbsh66w6.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-tfl2il6j.js", "text/javascript; charset=utf-8"),
    file!("Merge-lypf5a04.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-khop3g2g.js", "text/javascript; charset=utf-8"),
    file!("Outbox-ccyup3ho.js", "text/javascript; charset=utf-8"),
    file!("Page-bjxbsmbc.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-cw4wiji6.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-c4djnsum.js", "text/javascript; charset=utf-8"),
    file!("Query-n396dnp6.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-d8c7lic7.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-gjqkrdvs.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-h27scwdj.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-n5v04ayb.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-oq3xprfj.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-ksplilnh.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-bqzz3eph.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-qwvoe4l5.js", "text/javascript; charset=utf-8"),
    file!("Start-l2nezbrj.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-farnp5dc.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-fsgdwl1g.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-jkib4dm0.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-cgh9ohos.js", "text/javascript; charset=utf-8"),
    file!("badRows-ezgxdgo2.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-dxsbwkr6.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-feqbg7lk.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-kl3ha6h9.js", "text/javascript; charset=utf-8"),
    file!("cs-ft3zv5u7.js", "text/javascript; charset=utf-8"),
    file!("editBatch-b6ktsntu.js", "text/javascript; charset=utf-8"),
    file!("en-gv1iajzf.js", "text/javascript; charset=utf-8"),
    file!("keptstore-k2mm5hwu.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-c2q30j3x.js", "text/javascript; charset=utf-8"),
    file!("more-k0ocx8qc.js", "text/javascript; charset=utf-8"),
    file!("more-kgxwo2t0.js", "text/javascript; charset=utf-8"),
    file!("parse-cncamjtj.js", "text/javascript; charset=utf-8"),
    file!("plot-i02trb26.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("problemWords-bad9b31y.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-h70zvehp.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-dfqwc84w.js", "text/javascript; charset=utf-8"),
    file!("selection-hjun32d5.js", "text/javascript; charset=utf-8"),
    file!("undoing-mvaoiavo.js", "text/javascript; charset=utf-8"),
];
