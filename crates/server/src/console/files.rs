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
      <script type="module" crossorigin src="{root}console/console-pawfsyxg.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-c9y0lges.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 113] = [
    file!("Account-ka9e0x7o.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-jd2xq7vz.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-kv5yo3gx.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("Board-kl5x30n0.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-kf67dfae.js", "text/javascript; charset=utf-8"),
    file!("Bulk-gi9q0sm9.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-gkm650tp.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CardBar-feq6xe3v.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-jmkwvzer.js", "text/javascript; charset=utf-8"),
    file!("ColorField-co356j07.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-keiamni3.js", "text/javascript; charset=utf-8"),
    file!("Commands-dm1o4gl2.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-c8swyb32.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Dialog-zjbizpab.js", "text/javascript; charset=utf-8"),
    file!("Entries-c2ciu7np.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-g6azdf2y.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-ffupv1mm.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-jv0yp27w.js", "text/javascript; charset=utf-8"),
    file!("FileField-c9yne43c.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-owsjfiwg.js", "text/javascript; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Footer-nl18p8if.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-nsrs32sg.js", "text/javascript; charset=utf-8"),
    file!("Import-du9nsj2t.js", "text/javascript; charset=utf-8"),
    file!("Import-esbekvcz.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-i0wosl8h.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-eeyol5qj.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-kw9c9e2j.js", "text/javascript; charset=utf-8"),
    file!("Json-ig8gb7ig.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-hjb26btr.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-b9qx7xsy.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-e6uy0v2y.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Merge-ougja6w5.js", "text/javascript; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-nru55frd.js", "text/javascript; charset=utf-8"),
    file!("Outbox-orre1se6.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Page-mxsm59ni.js", "text/javascript; charset=utf-8"),
    file!("Parameters-eh10i90y.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-b35tihv5.js", "text/javascript; charset=utf-8"),
    file!("Query-ecvn32pa.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-kyv1i99z.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-egbpb4xu.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordJson-pv04ctrn.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-fuxtyuoh.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-f19kb2hj.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-020ilma8.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-kor818r4.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-h6uglmgs.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Start-xl087ds7.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-fgr7casq.js", "text/javascript; charset=utf-8"),
    file!("Toasts-dpll3dib.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("ValueMenu-j5p6xr24.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("ViewDialog-gqjk5vvz.js", "text/javascript; charset=utf-8"),
    file!("badRows-pd43mf4x.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-e44452o3.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-oslevw5v.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-pawfsyxg.js", "text/javascript; charset=utf-8"),
    file!("cs-i7s9zqoy.js", "text/javascript; charset=utf-8"),
    file!("editBatch-mpj2wa97.js", "text/javascript; charset=utf-8"),
    file!("en-i39blm0t.js", "text/javascript; charset=utf-8"),
    file!("format-ftjyvg17.js", "text/javascript; charset=utf-8"),
    file!("keptstore-mzznhpje.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-bh3a7z3h.js", "text/javascript; charset=utf-8"),
    file!("more-lhl7t5tk.js", "text/javascript; charset=utf-8"),
    file!("more-owb2ixq3.js", "text/javascript; charset=utf-8"),
    file!("parse-o811j8m0.js", "text/javascript; charset=utf-8"),
    file!("plot-cwfoslr9.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-en4rcxn9.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-ilghgfu2.js", "text/javascript; charset=utf-8"),
    file!("selection-bkqbx47m.js", "text/javascript; charset=utf-8"),
    file!("undoing-lqpicgbq.js", "text/javascript; charset=utf-8"),
];
