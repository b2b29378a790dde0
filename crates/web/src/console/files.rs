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
      <script type="module" crossorigin src="{root}console/console-o1wp1q0s.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-m5ac0lfv.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 123] = [
    file!("Account-i2m80ehh.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-jexil3ur.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Automations-ov2wzf7r.js", "text/javascript; charset=utf-8"),
    file!("Board-bdxixfe0.js", "text/javascript; charset=utf-8"),
    file!("Board-h4uih4nd.css", "text/css; charset=utf-8"),
    file!("BottomBar-jzadv3ds.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-lgmbpy57.css", "text/css; charset=utf-8"),
    file!("Bulk-cm5agj6n.js", "text/javascript; charset=utf-8"),
    file!("Bulk-n5bgpk2g.css", "text/css; charset=utf-8"),
    file!("BulkTrial-h03xtebp.js", "text/javascript; charset=utf-8"),
    file!("BulkTrial-pagx5vc4.css", "text/css; charset=utf-8"),
    file!("CardBar-c1a8ipn7.js", "text/javascript; charset=utf-8"),
    file!("CardBar-c2msap3w.css", "text/css; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("CellEditor-naln9k07.js", "text/javascript; charset=utf-8"),
    file!("ColorField-ey862ids.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-iauzr4fz.js", "text/javascript; charset=utf-8"),
    file!("ColumnsPicker-kp1ofx8t.css", "text/css; charset=utf-8"),
    file!("Commands-m9y5e8x2.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-bhckryn1.js", "text/javascript; charset=utf-8"),
    file!("Dialog-nxrcm50o.css", "text/css; charset=utf-8"),
    file!("Dialog-or5jf31k.js", "text/javascript; charset=utf-8"),
    file!("EditHint-ekymg5qg.js", "text/javascript; charset=utf-8"),
    file!("EditHint-my9rb0og.css", "text/css; charset=utf-8"),
    file!("Entries-g8ruev8n.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Export-jij2af4j.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Facts-etisr7k3.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-ewlliptx.js", "text/javascript; charset=utf-8"),
    file!("FileField-iwwyrn5m.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-l5gn2mby.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-n2v7fsyp.css", "text/css; charset=utf-8"),
    file!("Footer-e6vkz003.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-e0vaizz1.js", "text/javascript; charset=utf-8"),
    file!("Import-g6nuj39q.css", "text/css; charset=utf-8"),
    file!("Import-zl9o6tr2.js", "text/javascript; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-fj8niowj.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-ltegl8t6.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Jobs-dgegs03r.css", "text/css; charset=utf-8"),
    file!("Jobs-jy34d1v6.js", "text/javascript; charset=utf-8"),
    file!("Json-e4v55bgo.js", "text/javascript; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("JsonField-e4kaasfm.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-b3hhoimh.js", "text/javascript; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("ListDialogs-fuu552dz.js", "text/javascript; charset=utf-8"),
    file!("MenuList-bk9lyk7h.css", "text/css; charset=utf-8"),
    file!("MenuList-c4gy6icf.js", "text/javascript; charset=utf-8"),
    file!("Merge-hsdjilcn.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("NoRows-m8d0sez6.js", "text/javascript; charset=utf-8"),
    file!("Operate-gh7a34dy.js", "text/javascript; charset=utf-8"),
    file!("Operate-ngza1ex2.css", "text/css; charset=utf-8"),
    file!("Outbox-kvuoyrgt.js", "text/javascript; charset=utf-8"),
    file!("Page-f5mt0hp9.js", "text/javascript; charset=utf-8"),
    file!("Page-gttb57q2.css", "text/css; charset=utf-8"),
    file!("Parameters-cffr4gl5.css", "text/css; charset=utf-8"),
    file!("Parameters-etc3pjus.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-f5f9fi0x.js", "text/javascript; charset=utf-8"),
    file!("Query-l4uq3f76.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-jnd6c25v.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-ivto7lpj.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-loyuspyy.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-j68gk0xx.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-fxu74j01.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-fy6dcaon.js", "text/javascript; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("SignInAgain-ghje14rt.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SourceHelp-ddyeqh9c.js", "text/javascript; charset=utf-8"),
    file!("SourceHelp-oe984gz5.css", "text/css; charset=utf-8"),
    file!("Start-m4am016m.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-lnqzq2nc.js", "text/javascript; charset=utf-8"),
    file!("Toasts-e52zad8m.css", "text/css; charset=utf-8"),
    file!("Toasts-hep2siib.js", "text/javascript; charset=utf-8"),
    file!("ValueMenu-mno9uzld.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-gx66d6v5.css", "text/css; charset=utf-8"),
    file!("ViewDialog-ktvwrjyh.js", "text/javascript; charset=utf-8"),
    file!("badRows-efyhkect.js", "text/javascript; charset=utf-8"),
    file!("bulkundo-oiqde7fj.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-os4srt25.js", "text/javascript; charset=utf-8"),
    file!("console-m5ac0lfv.css", "text/css; charset=utf-8"),
    file!("console-o1wp1q0s.js", "text/javascript; charset=utf-8"),
    file!("cs-hdtlxq6d.js", "text/javascript; charset=utf-8"),
    file!("editBatch-ll1skcec.js", "text/javascript; charset=utf-8"),
    file!("en-gxwbpjgt.js", "text/javascript; charset=utf-8"),
    file!("format-jqwq1y6i.js", "text/javascript; charset=utf-8"),
    file!("icon-dof30kui.svg", "image/svg+xml"),
    file!("keptstore-m8uaconf.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-kxzccjpo.js", "text/javascript; charset=utf-8"),
    file!("more-etxsuvi5.js", "text/javascript; charset=utf-8"),
    file!("more-pe8rg816.js", "text/javascript; charset=utf-8"),
    file!("parse-hr9ylpid.js", "text/javascript; charset=utf-8"),
    file!("paths-hm1eqsti.js", "text/javascript; charset=utf-8"),
    file!("plot-nc5g4m6e.js", "text/javascript; charset=utf-8"),
    file!("plural-i7ddnv9v.js", "text/javascript; charset=utf-8"),
    file!("refusedundo-kro4odhj.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("runningJobs.svelte-g42p6z8t.js", "text/javascript; charset=utf-8"),
    file!("saveUndo-ogsejpvh.js", "text/javascript; charset=utf-8"),
    file!("selection-o0wtgiil.js", "text/javascript; charset=utf-8"),
    file!("undoing-k4byvn0n.js", "text/javascript; charset=utf-8"),
    file!("viewchanges-cnveiamd.js", "text/javascript; charset=utf-8"),
    file!("whole-hsaop0vb.js", "text/javascript; charset=utf-8"),
];
