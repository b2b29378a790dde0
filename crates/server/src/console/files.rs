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
        <link rel="icon" type="image/svg+xml" href="{root}console/icon-jjqrmiut.svg" />
        <title>Plinth</title>
      <script type="module" crossorigin src="{root}console/rolldown-runtime-mam1o4z7.js"></script>
      <script type="module" crossorigin src="{root}console/console-k7y6qacc.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-eqtpjvgf.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 119] = [
    file!("Account-j5wz67cu.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-ffj4krsr.js", "text/javascript; charset=utf-8"),
    file!("Automations-dy4fanjk.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Board-fp7e3my1.js", "text/javascript; charset=utf-8"),
    file!("Board-gebq29j6.css", "text/css; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-keqyo12t.js", "text/javascript; charset=utf-8"),
    file!("Bulk-g1pa6c7d.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-4joabisz.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-bcbyhx6k.js", "text/javascript; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CellEditor-hmz4labs.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-nsrf1nzs.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-oqv1mral.js", "text/javascript; charset=utf-8"),
    file!("Commands-kmfk5xhz.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ng2wbylh.js", "text/javascript; charset=utf-8"),
    file!("Dialog-i7dwn8li.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("EditHint-oqv469s1.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-jih92m25.js", "text/javascript; charset=utf-8"),
    file!("Export-g1wsnlap.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-ehxha1px.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-gl28c11y.js", "text/javascript; charset=utf-8"),
    file!("FileField-i1oygt01.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-b7qqhfhl.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-j41jv167.css", "text/css; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Footer-ko0xaeuz.js", "text/javascript; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-ihxxa0c9.js", "text/javascript; charset=utf-8"),
    file!("Import-gvuasec9.css", "text/css; charset=utf-8"),
    file!("Import-ipn7gacg.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-df3lvezs.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-cn05j1kc.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-d0ded8is.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-oh46zhm8.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-lqbyknl7.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-euer4od0.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-c6rxhoq4.js", "text/javascript; charset=utf-8"),
    file!("Merge-ejozb46n.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-f78etxrm.js", "text/javascript; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-lpscev61.js", "text/javascript; charset=utf-8"),
    file!("Outbox-efjyl9zh.js", "text/javascript; charset=utf-8"),
    file!("Page-bbqacs3h.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Parameters-kgi2spqd.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-0sru3mhg.js", "text/javascript; charset=utf-8"),
    file!("Query-gzv9vcwx.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-ikk4v8mq.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-n2pq6t53.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-gbrtngwy.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-ov0z4md6.js", "text/javascript; charset=utf-8"),
    file!("Related-gy41kdae.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-cp3fjya1.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-j19h1fou.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-6tb5g9lc.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-ca1dtdi2.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-kbxeu0fo.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-udir9pyj.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-iqm23xfg.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("ViewDialog-k4wibreu.js", "text/javascript; charset=utf-8"),
    file!("badRows-knqa563u.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-oixismt5.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-ejqocznl.js", "text/javascript; charset=utf-8"),
    file!("console-eqtpjvgf.css", "text/css; charset=utf-8"),
    file!("console-k7y6qacc.js", "text/javascript; charset=utf-8"),
    file!("cs-gbb93dih.js", "text/javascript; charset=utf-8"),
    file!("editBatch-fy9676kc.js", "text/javascript; charset=utf-8"),
    file!("en-j8fqf1nt.js", "text/javascript; charset=utf-8"),
    file!("format-ez0m9706.js", "text/javascript; charset=utf-8"),
    file!("icon-jjqrmiut.svg", "image/svg+xml"),
    file!("keptstore-j0huo0kh.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-br13h5f8.js", "text/javascript; charset=utf-8"),
    file!("more-bnp2ta8z.js", "text/javascript; charset=utf-8"),
    file!("more-pc03jtds.js", "text/javascript; charset=utf-8"),
    file!("parse-oywkg8pz.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-jzwk7xuo.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-mbf855fm.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-lmrpq19j.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-oygu7as9.js", "text/javascript; charset=utf-8"),
    file!("selection-drtgcde3.js", "text/javascript; charset=utf-8"),
    file!("undoing-f5dltmpr.js", "text/javascript; charset=utf-8"),
];
