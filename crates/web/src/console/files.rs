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
        <link rel="icon" type="image/svg+xml" href="{root}console/icon-dof30kui.svg" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-kicloxpo.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-m5ac0lfv.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 122] = [
    file!("Account-msdhu4l7.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-cotg8uwo.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-md622zdk.js", "text/javascript; charset=utf-8"),
    file!("Board-fa0ii4zm.js", "text/javascript; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("BottomBar-o12r8uyg.js", "text/javascript; charset=utf-8"),
    file!("Bulk-e8m6g546.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-gckuq5yv.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CardBar-gn3bc1me.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-oqhxyyad.js", "text/javascript; charset=utf-8"),
    file!("ColorField-g1vh31nt.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-bqtbbieb.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("Commands-b6a8rxfm.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-owj08nz1.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Dialog-ormwbgl8.js", "text/javascript; charset=utf-8"),
    file!("EditHint-jvkebi58.js", "text/javascript; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-mehwo6m9.js", "text/javascript; charset=utf-8"),
    file!("Export-ktns3gjz.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-kzc49s9o.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-d08efknt.js", "text/javascript; charset=utf-8"),
    file!("FileField-cfisbfv2.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-hi5pdu7k.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Footer-jwzildnf.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-muv3oomi.js", "text/javascript; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Import-gdvnrs82.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-glgitqgc.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nnszs57j.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-1n6fflz2.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-kap22nd2.js", "text/javascript; charset=utf-8"),
    file!("JsonField-c3lsve9y.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-k8istjrm.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-d7ozzuck.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-f00xwgm1.js", "text/javascript; charset=utf-8"),
    file!("Merge-l49vq273.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-dyujz10m.js", "text/javascript; charset=utf-8"),
    file!("Operate-dj1ag9dp.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Outbox-mjn919fc.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Page-k5f6losy.js", "text/javascript; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-jhmrcobs.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-s38d4q5r.js", "text/javascript; charset=utf-8"),
    file!("Query-dgveovad.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-f8rp5s2t.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-sodltsw4.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordJson-o1v0b144.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-h2zz0t56.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-dyo4fvrd.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-b7fl434c.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-ikllgl2m.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ilulzhlk.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-f4jdc1ql.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-g9ki3ow5.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-g6r6v81n.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-h6dpfolt.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gfnny2mf.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("badRows-9sul4qjm.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-i9oghouq.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-d91gd3w9.js", "text/javascript; charset=utf-8"),
    file!("console-kicloxpo.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("cs-hec7hxle.js", "text/javascript; charset=utf-8"),
    file!("editBatch-kvkfxgaa.js", "text/javascript; charset=utf-8"),
    file!("en-xal1kvo1.js", "text/javascript; charset=utf-8"),
    file!("format-nyqoxrk7.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-kd0yglsz.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-fnxiwexa.js", "text/javascript; charset=utf-8"),
    file!("more-demvol8i.js", "text/javascript; charset=utf-8"),
    file!("more-jb0otf1i.js", "text/javascript; charset=utf-8"),
    file!("parse-hrp2zrj0.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-jy86f4u3.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-hem85t4b.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-dulw8h6v.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-oxlx4cui.js", "text/javascript; charset=utf-8"),
    file!("selection-fe8p3v98.js", "text/javascript; charset=utf-8"),
    file!("undoing-naxc4mn0.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-eyxvpeon.js", "text/javascript; charset=utf-8"),
];
