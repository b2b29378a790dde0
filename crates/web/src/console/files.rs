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
      <script type="module" crossorigin src="{root}console/console-nrhxweqf.js"></script>
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
    file!("Account-i00h5mom.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-gfbsdih3.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-pd5x70gq.js", "text/javascript; charset=utf-8"),
    file!("Board-gdmwojhp.js", "text/javascript; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("BottomBar-bofibz96.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("Bulk-i70ewo4i.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-kvdyr33t.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CardBar-iw8v1ou4.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-o2cukm82.js", "text/javascript; charset=utf-8"),
    file!("ColorField-l63h72gj.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-ejc1gnv6.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("Commands-ovjr9i8z.js", "text/javascript; charset=utf-8"),
    file!("CreateDialog-lwu24tfn.js", "text/javascript; charset=utf-8"),
    file!("Dialog-bjyle89u.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-g8gg9zql.js", "text/javascript; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("Entries-hrbs6kys.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-beolrcxv.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Facts-qvy5z0b5.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-kuxbg4oe.js", "text/javascript; charset=utf-8"),
    file!("FileField-eiyd8yae.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-n9hspg3z.js", "text/javascript; charset=utf-8"),
    file!("Footer-ehz23f4r.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-jjbo5by1.js", "text/javascript; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Import-ngxqyvtt.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-cag7awlg.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-j4ak8495.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-irdnit04.js", "text/javascript; charset=utf-8"),
    file!("Json-bmb1vqy6.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-mgeclvug.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-x19ir729.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-k6anaffv.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-h04lsrc9.js", "text/javascript; charset=utf-8"),
    file!("Merge-mjtrq6tc.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-j8yvu8vn.js", "text/javascript; charset=utf-8"),
    file!("Operate-dzzyum88.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Outbox-e7q64g4x.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Page-l3pq2iyj.js", "text/javascript; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-dmf7tqg5.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-kyeytca5.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Query-o6au6g3g.js", "text/javascript; charset=utf-8"),
    file!("Reads-fok9yt8l.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-gcpc5dlp.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-ipunv301.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-g93nmvin.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-f9oiat3x.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-o85upgwp.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-dx52fi9k.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-lpngjzfx.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-drnxnmr7.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-2zaalaba.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-nmliiznz.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-g176a1f9.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("ViewDialog-imsxxu4o.js", "text/javascript; charset=utf-8"),
    file!("badRows-fj4uxrzm.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-bhnx18bm.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-e78cyzid.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("console-nrhxweqf.js", "text/javascript; charset=utf-8"),
    file!("cs-btwwa4c1.js", "text/javascript; charset=utf-8"),
    file!("editBatch-m88a4bk2.js", "text/javascript; charset=utf-8"),
    file!("en-ma8jvbgt.js", "text/javascript; charset=utf-8"),
    file!("format-ib5y6sva.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-g9g9lyiw.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-fnkgue5k.js", "text/javascript; charset=utf-8"),
    file!("more-gmux1wfq.js", "text/javascript; charset=utf-8"),
    file!("more-gvi9vx1o.js", "text/javascript; charset=utf-8"),
    file!("parse-i0g37gil.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-mwjjipwj.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-kra7lc9s.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-evcd4ryo.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-j76dyblu.js", "text/javascript; charset=utf-8"),
    file!("selection-c4auhsz7.js", "text/javascript; charset=utf-8"),
    file!("undoing-lbslgpds.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-o4evug81.js", "text/javascript; charset=utf-8"),
];
