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
      <script type="module" crossorigin src="{root}console/console-bxbea3gn.js"></script>
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
    file!("Account-d7f7doei.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-i85w96xt.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-ih0eytqz.js", "text/javascript; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("Board-nekzupdf.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("BottomBar-ng30jrey.js", "text/javascript; charset=utf-8"),
    file!("Bulk-btfiuqqx.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-lvhlc32d.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CardBar-exhyfd98.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-oxcvyqfq.js", "text/javascript; charset=utf-8"),
    file!("ColorField-ebmb5dj3.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-j5ft1wsc.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("Commands-h24snzrg.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-mb6edd2e.js", "text/javascript; charset=utf-8"),
    file!("Dialog-gu2cmeb9.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("EditHint-nu6jj6q6.js", "text/javascript; charset=utf-8"),
    file!("Entries-dnkw38h1.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-etjzana7.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-hlfmwh8t.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-xsrv1rc0.js", "text/javascript; charset=utf-8"),
    file!("FileField-jzs0w3ox.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-57v28dcq.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("Footer-ds57iqim.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-b87nfzzh.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Import-gdhliupq.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-l7ntxjn4.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-jty2n3n0.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-grsks0yj.js", "text/javascript; charset=utf-8"),
    file!("Json-dk5oq6d1.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-jhg8wb32.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-bk89p65f.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-onid7szn.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-pdhn2zaf.js", "text/javascript; charset=utf-8"),
    file!("Merge-fyhg6201.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-fyvge5c7.js", "text/javascript; charset=utf-8"),
    file!("Operate-jqpivwfc.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Outbox-djtyeiun.js", "text/javascript; charset=utf-8"),
    file!("Page-d07ms9n9.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-nuax4xld.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-kyu2hjwt.js", "text/javascript; charset=utf-8"),
    file!("Query-f8vioutv.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-mcp9km5q.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-bnfdxkzz.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-ehtpoble.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-i1gab2pg.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-o8l7i5u7.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-idgghvkg.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-ej29fsu6.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-m6phh0x6.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-iahlyhhr.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-ftlxy28w.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-lybm9pah.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-kli9z1vj.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("ViewDialog-on319ga4.js", "text/javascript; charset=utf-8"),
    file!("badRows-1osf0fcq.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-jldndp41.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-fdmb07xw.js", "text/javascript; charset=utf-8"),
    file!("console-bxbea3gn.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("cs-hec7hxle.js", "text/javascript; charset=utf-8"),
    file!("editBatch-dw9m1yeg.js", "text/javascript; charset=utf-8"),
    file!("en-xal1kvo1.js", "text/javascript; charset=utf-8"),
    file!("format-mzig7j7h.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-hsycratf.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-be6n1rxg.js", "text/javascript; charset=utf-8"),
    file!("more-demvol8i.js", "text/javascript; charset=utf-8"),
    file!("more-jddjr086.js", "text/javascript; charset=utf-8"),
    file!("parse-hrai7i7h.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-n62thndd.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-lwtbna1z.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-ioxx3knf.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-ni7r2s9p.js", "text/javascript; charset=utf-8"),
    file!("selection-db86lgzf.js", "text/javascript; charset=utf-8"),
    file!("undoing-dgk6dn8y.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-chf3iv8j.js", "text/javascript; charset=utf-8"),
];
