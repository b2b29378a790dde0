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
      <script type="module" crossorigin src="{root}console/console-kka7dhfp.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-khjnq0r7.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 107] = [
    file!("Account-ndb3db9h.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-nnd2tc6v.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-it539vo7.js", "text/javascript; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-l6lqlr4u.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-ckuv1cfj.js", "text/javascript; charset=utf-8"),
    file!("Bulk-gwk1zqqo.css", "text/css; charset=utf-8"),
    file!("Bulk-kj21geyt.js", "text/javascript; charset=utf-8"),
    file!("CardBar-bl3qtfgb.js", "text/javascript; charset=utf-8"),
    file!("CardBar-jqo9f2oe.css", "text/css; charset=utf-8"),
    file!("CellEditor-abzaahty.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-bdt445mv.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fo6jm7rb.js", "text/javascript; charset=utf-8"),
    file!("Commands-7tcgrvpl.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-iuwiyj2a.js", "text/javascript; charset=utf-8"),
    file!("Dialog-ih2lrrf3.css", "text/css; charset=utf-8"),
    file!("Dialog-mz5sdhhl.js", "text/javascript; charset=utf-8"),
    file!("Entries-g0if32oy.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-m5j6rwaw.js", "text/javascript; charset=utf-8"),
    file!("Facts-d1vtuf3n.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-mudg0vqv.js", "text/javascript; charset=utf-8"),
    file!("FileField-abmfy8ab.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-cow44f00.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("Footer-b26zsxz8.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-jdojcopp.js", "text/javascript; charset=utf-8"),
    file!("Import-gpzdbtub.js", "text/javascript; charset=utf-8"),
    file!("Import-mjf1szqh.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-mkpj5t4q.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-l314yuku.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-i3qosvf2.js", "text/javascript; charset=utf-8"),
    file!("Json-fdqkit30.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-iho26ird.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-knsxte6i.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-k9nkrfwj.js", "text/javascript; charset=utf-8"),
    file!("Merge-e7x15g8h.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-99zstq5l.js", "text/javascript; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Outbox-b40ethwe.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-kud3s6ti.js", "text/javascript; charset=utf-8"),
    file!("Parameters-d4wxmtvr.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-mwnxr89n.js", "text/javascript; charset=utf-8"),
    file!("Query-lk7rgsjy.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-jk7umllp.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-dva6581p.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-faec17z5.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-clw7o7ox.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-erdweqty.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-n1fhpp0r.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-mmn1qosq.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-g4c72fm8.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("Start-oxym1sjq.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dc3zabmb.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-hg56vwn1.js", "text/javascript; charset=utf-8"),
    file!("Toasts-man50izj.css", "text/css; charset=utf-8"),
    file!("ValueMenu-du3ldtwr.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-bjgb5svf.css", "text/css; charset=utf-8"),
    file!("ViewDialog-enkp8ft5.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-mcutw3wo.js", "text/javascript; charset=utf-8"),
    file!("console-khjnq0r7.css", "text/css; charset=utf-8"),
    file!("console-kka7dhfp.js", "text/javascript; charset=utf-8"),
    file!("cs-i1oxsjnh.js", "text/javascript; charset=utf-8"),
    file!("editBatch-fwwx2q0e.js", "text/javascript; charset=utf-8"),
    file!("en-jmkseghh.js", "text/javascript; charset=utf-8"),
    file!("jobs-ed76huix.js", "text/javascript; charset=utf-8"),
    file!("keptstore-c501b210.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-dro45f3a.js", "text/javascript; charset=utf-8"),
    file!("more-kmcm913u.js", "text/javascript; charset=utf-8"),
    file!("more-osbbxvc6.js", "text/javascript; charset=utf-8"),
    file!("parse-msgvyndd.js", "text/javascript; charset=utf-8"),
    file!("plot-nw3t144v.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-oox8ix3p.js", "text/javascript; charset=utf-8"),
    file!("selection-lc6ompiw.js", "text/javascript; charset=utf-8"),
];
