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
      <script type="module" crossorigin src="{root}console/console-g5dioryd.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-hq82b3lh.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 119] = [
    file!("Account-dd1yr2k0.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-dbxxakw5.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-ojzmjq27.js", "text/javascript; charset=utf-8"),
    file!("Board-gebq29j6.css", "text/css; charset=utf-8"),
    file!("Board-skxrdzmd.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-g4i47mdr.js", "text/javascript; charset=utf-8"),
    file!("Bulk-j2fhxrm4.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-d3hs3hay.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-f6kbss8p.css", "text/css; charset=utf-8"),
    file!("CardBar-ifp0eznf.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-johb3n8h.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColorField-papkxccv.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-oy96cz40.js", "text/javascript; charset=utf-8"),
    file!("Commands-g04lz2nk.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ab2qhf1m.js", "text/javascript; charset=utf-8"),
    file!("Dialog-kchhpf29.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("EditHint-fmqv7sdi.js", "text/javascript; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("Entries-fy0mtx88.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-m2ytjf3v.js", "text/javascript; charset=utf-8"),
    file!("Facts-jd49mgdq.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-imgc2ynl.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FileField-kqtjlhl1.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-gvy01y1i.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-m8d2v2hc.css", "text/css; charset=utf-8"),
    file!("Footer-i0huhxcr.js", "text/javascript; charset=utf-8"),
    file!("Footer-j6dhhceg.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-jusa0x2t.js", "text/javascript; charset=utf-8"),
    file!("Import-em6dwq8b.js", "text/javascript; charset=utf-8"),
    file!("Import-gvuasec9.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-ij2l6uay.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-jda2uvnn.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-kwzp32jk.js", "text/javascript; charset=utf-8"),
    file!("Json-fpldn37t.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonField-jiqmldhz.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-dq1zjfpv.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-olnpms24.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Merge-ojrzseuv.js", "text/javascript; charset=utf-8"),
    file!("NoRows-mr4bbtwq.js", "text/javascript; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-hn82sjup.js", "text/javascript; charset=utf-8"),
    file!("Outbox-lxmn6ssl.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Page-j6t7szol.js", "text/javascript; charset=utf-8"),
    file!("Parameters-j55cemfb.js", "text/javascript; charset=utf-8"),
    file!("Parameters-l0q432um.css", "text/css; charset=utf-8"),
    file!("PathPicker-gu5x9co0.js", "text/javascript; charset=utf-8"),
    file!("Query-n0s712kz.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-lv6wtsbz.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-fo8q2c2g.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-ilpjja85.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-e1zca7f7.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-ewwx8oaz.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-d0z58n6e.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-df6mlwoe.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-mg9usarn.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-fbbd3n6a.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-bo0ae2hc.js", "text/javascript; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Toasts-acacxfa8.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("ValueMenu-g0ev1oi6.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-9f2dwrtn.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dske8nfh.css", "text/css; charset=utf-8"),
    file!("badRows-muouqay9.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-ltrh3z3t.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-jk2zke6u.js", "text/javascript; charset=utf-8"),
    file!("console-g5dioryd.js", "text/javascript; charset=utf-8"),
    file!("console-hq82b3lh.css", "text/css; charset=utf-8"),
    file!("cs-gbb93dih.js", "text/javascript; charset=utf-8"),
    file!("editBatch-iaqdloii.js", "text/javascript; charset=utf-8"),
    file!("en-j8fqf1nt.js", "text/javascript; charset=utf-8"),
    file!("format-gkczgch7.js", "text/javascript; charset=utf-8"),
    file!("icon-jjqrmiut.svg", "image/svg+xml"),
    file!("keptstore-e63ien9w.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-cte0b3s2.js", "text/javascript; charset=utf-8"),
    file!("more-bnp2ta8z.js", "text/javascript; charset=utf-8"),
    file!("more-pc03jtds.js", "text/javascript; charset=utf-8"),
    file!("parse-heixug6m.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-ln67npt1.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-e50r0l4y.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-b4g3ggoz.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-gvqo2tey.js", "text/javascript; charset=utf-8"),
    file!("selection-lxpy1o7m.js", "text/javascript; charset=utf-8"),
    file!("undoing-b8bnb6wp.js", "text/javascript; charset=utf-8"),
];
