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
      <script type="module" crossorigin src="{root}console/console-k9sg04s8.js"></script>
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
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Account-ovo1tvov.js", "text/javascript; charset=utf-8"),
    file!("Audit-vawekjcu.js", "text/javascript; charset=utf-8"),
    file!("Automations-ce3gplfw.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Board-g0hrs10d.js", "text/javascript; charset=utf-8"),
    file!("Board-jq45e7wu.css", "text/css; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-fjotbi17.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("Bulk-qujn9rhw.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-cglxm1ur.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-bkggj2kk.js", "text/javascript; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-m0ebp9li.js", "text/javascript; charset=utf-8"),
    file!("ColorField-kv4e8ol1.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-jnxr7nq6.js", "text/javascript; charset=utf-8"),
    file!("Commands-79tyr56y.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-mhcboe0f.js", "text/javascript; charset=utf-8"),
    file!("Dialog-9vbhhesy.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Entries-5k621vsg.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-kloscth4.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-gzv5uwd8.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-be8dp0lf.js", "text/javascript; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("FileField-ecb86xi6.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-dje0h8cj.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-kbx5ho2x.js", "text/javascript; charset=utf-8"),
    file!("Footer-guah0nj0.js", "text/javascript; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-f4sgd619.js", "text/javascript; charset=utf-8"),
    file!("Import-esbekvcz.css", "text/css; charset=utf-8"),
    file!("Import-il6bsbte.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-h92vl1g2.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("JobProgress-tips58hh.js", "text/javascript; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-it2232ba.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-nikxfq6t.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-oaqdfhw4.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-dfrr3znq.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-j87u90z6.js", "text/javascript; charset=utf-8"),
    file!("Merge-jgo7bb65.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-lfx5n4od.js", "text/javascript; charset=utf-8"),
    file!("Outbox-do355rdd.js", "text/javascript; charset=utf-8"),
    file!("Page-d6jg2m1p.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-c2enjk7e.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-m78owxcn.js", "text/javascript; charset=utf-8"),
    file!("Query-iv1gsnc2.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-ox016c8m.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-emxtk611.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-iol0t6sv.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("RecordTags-mwbnz016.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Related-w3pcr5qs.js", "text/javascript; charset=utf-8"),
    file!("Runs-dk7pweh3.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-nz3m9mng.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-hyv73aya.css", "text/css; charset=utf-8"),
    file!("SourceHelp-oeechepf.js", "text/javascript; charset=utf-8"),
    file!("Start-hvexplyj.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-gs6vjdqu.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-kpt59iil.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-oubq4o7n.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("ViewDialog-f2zmqb79.js", "text/javascript; charset=utf-8"),
    file!("badRows-ejhk679p.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-g2zmsaj2.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-on52knp1.js", "text/javascript; charset=utf-8"),
    file!("console-c9y0lges.css", "text/css; charset=utf-8"),
    file!("console-k9sg04s8.js", "text/javascript; charset=utf-8"),
    file!("cs-jo7ryyml.js", "text/javascript; charset=utf-8"),
    file!("editBatch-cbzg0foh.js", "text/javascript; charset=utf-8"),
    file!("en-ggeovfq4.js", "text/javascript; charset=utf-8"),
    file!("format-abnjqq66.js", "text/javascript; charset=utf-8"),
    file!("keptstore-nupesev8.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-li5dzq3s.js", "text/javascript; charset=utf-8"),
    file!("more-l6hzmbsq.js", "text/javascript; charset=utf-8"),
    file!("more-ogyg8yq4.js", "text/javascript; charset=utf-8"),
    file!("parse-ferxuhza.js", "text/javascript; charset=utf-8"),
    file!("plot-j2ojslm7.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-mvy14ovr.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-g3mqzscb.js", "text/javascript; charset=utf-8"),
    file!("selection-hrutqpsn.js", "text/javascript; charset=utf-8"),
    file!("undoing-jas73jx1.js", "text/javascript; charset=utf-8"),
];
