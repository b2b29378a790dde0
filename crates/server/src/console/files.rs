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
      <script type="module" crossorigin src="{root}console/console-jw9m1l14.js"></script>
      <link rel="stylesheet" crossorigin href="{root}console/console-dqz00jyy.css">
    </head>
    <body>
        <div id="console"></div>
        <noscript>The console needs JavaScript. Your account is at <a href="{root}account">/account</a>.</noscript>
    </body>
</html>
"##;

/// Scripts, styles and pictures.
pub(super) static FILES: [ConsoleFile; 99] = [
    file!("Account-b9dc3q4m.js", "text/javascript; charset=utf-8"),
    file!("Account-o4z617tb.css", "text/css; charset=utf-8"),
    file!("Audit-bh3wop4n.js", "text/javascript; charset=utf-8"),
    file!("Automations-dmv5f6rd.js", "text/javascript; charset=utf-8"),
    file!("Automations-hex90p4o.css", "text/css; charset=utf-8"),
    file!("Board-b69hpu0u.css", "text/css; charset=utf-8"),
    file!("Board-njo5ahq0.js", "text/javascript; charset=utf-8"),
    file!("BottomBar-c2tt3phe.css", "text/css; charset=utf-8"),
    file!("BottomBar-gt0w46cd.js", "text/javascript; charset=utf-8"),
    file!("Bulk-hkgtv8aa.css", "text/css; charset=utf-8"),
    file!("Bulk-lyny1w4p.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-byjrkzb8.js", "text/javascript; charset=utf-8"),
    file!("CellEditor-ib4ppgpr.css", "text/css; charset=utf-8"),
    file!("ColorField-bzf5vfwg.js", "text/javascript; charset=utf-8"),
    file!("ColorField-lkpc6j1m.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-fl0hjoro.css", "text/css; charset=utf-8"),
    file!("ColumnsPicker-oc4h29r3.js", "text/javascript; charset=utf-8"),
    file!("Commands-hgq7gmkr.js", "text/javascript; charset=utf-8"),
    file!("Commands-n9v5au2u.css", "text/css; charset=utf-8"),
    file!("CreateDialog-ogatc64a.js", "text/javascript; charset=utf-8"),
    file!("Dialog-dpt8x0s5.css", "text/css; charset=utf-8"),
    file!("Dialog-k1wbdx7f.js", "text/javascript; charset=utf-8"),
    file!("Entries-i7sk77j0.css", "text/css; charset=utf-8"),
    file!("Entries-ijp4vjdu.js", "text/javascript; charset=utf-8"),
    file!("Export-ls6x5wl1.css", "text/css; charset=utf-8"),
    file!("Export-ms5oc6y1.js", "text/javascript; charset=utf-8"),
    file!("Facts-eae2yafa.js", "text/javascript; charset=utf-8"),
    file!("Facts-na6onaux.css", "text/css; charset=utf-8"),
    file!("Field-ctanwpab.css", "text/css; charset=utf-8"),
    file!("Field-k7emr6eb.js", "text/javascript; charset=utf-8"),
    file!("FileField-coi33jne.js", "text/javascript; charset=utf-8"),
    file!("FileField-kpmrc5mt.css", "text/css; charset=utf-8"),
    file!("FilterBuilder-ctkicyrv.js", "text/javascript; charset=utf-8"),
    file!("FilterBuilder-g22646v0.css", "text/css; charset=utf-8"),
    file!("Footer-biwbczfy.js", "text/javascript; charset=utf-8"),
    file!("Footer-fjrhej2y.css", "text/css; charset=utf-8"),
    file!("Help-d3aj27nv.css", "text/css; charset=utf-8"),
    file!("Help-ntgn4d0x.js", "text/javascript; charset=utf-8"),
    file!("Import-j6w2u165.js", "text/javascript; charset=utf-8"),
    file!("Import-k43d075m.css", "text/css; charset=utf-8"),
    file!("Inbox-c5k4yr7g.css", "text/css; charset=utf-8"),
    file!("Inbox-i0dthxuh.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-miz2493p.js", "text/javascript; charset=utf-8"),
    file!("JobProgress-nuggtfec.css", "text/css; charset=utf-8"),
    file!("Json-jj4uebxg.css", "text/css; charset=utf-8"),
    file!("Json-no3nuw05.js", "text/javascript; charset=utf-8"),
    file!("JsonField-decpgkls.js", "text/javascript; charset=utf-8"),
    file!("JsonField-gk43afo6.css", "text/css; charset=utf-8"),
    file!("JsonTree-g758kivr.css", "text/css; charset=utf-8"),
    file!("JsonTree-nrs12reo.js", "text/javascript; charset=utf-8"),
    file!("ListDialogs-d09d61zt.js", "text/javascript; charset=utf-8"),
    file!("Merge-njgl4w9q.js", "text/javascript; charset=utf-8"),
    file!("Merge-nzutxb0v.css", "text/css; charset=utf-8"),
    file!("Operate-bgv1nhu4.css", "text/css; charset=utf-8"),
    file!("Operate-i8qjy2io.js", "text/javascript; charset=utf-8"),
    file!("Outbox-1ucukgfg.js", "text/javascript; charset=utf-8"),
    file!("Page-jzouts36.js", "text/javascript; charset=utf-8"),
    file!("Page-ko492ov3.css", "text/css; charset=utf-8"),
    file!("Parameters-bjk4j4k5.css", "text/css; charset=utf-8"),
    file!("Parameters-zu45cikq.js", "text/javascript; charset=utf-8"),
    file!("PathPicker-kzxdh5r9.js", "text/javascript; charset=utf-8"),
    file!("Query-h6iym3vk.js", "text/javascript; charset=utf-8"),
    file!("Query-n42aagy4.css", "text/css; charset=utf-8"),
    file!("Reads-b0vewwi1.js", "text/javascript; charset=utf-8"),
    file!("RecordDialogs-el5jaojf.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-h3y28ya8.js", "text/javascript; charset=utf-8"),
    file!("RecordJson-md76ifc2.css", "text/css; charset=utf-8"),
    file!("RecordTags-ivzzodva.js", "text/javascript; charset=utf-8"),
    file!("RecordTags-mptu8iwi.css", "text/css; charset=utf-8"),
    file!("Related-dnv7jgf0.js", "text/javascript; charset=utf-8"),
    file!("Related-ndl219mu.css", "text/css; charset=utf-8"),
    file!("Runs-g7wib1tf.css", "text/css; charset=utf-8"),
    file!("Runs-kmqo6had.js", "text/javascript; charset=utf-8"),
    file!("SignInAgain-oijudp8l.css", "text/css; charset=utf-8"),
    file!("SignInAgain-pfi17mtl.js", "text/javascript; charset=utf-8"),
    file!("Start-pcb11eq8.js", "text/javascript; charset=utf-8"),
    file!("Start-vtg4drfq.css", "text/css; charset=utf-8"),
    file!("Tags-dujpt40u.css", "text/css; charset=utf-8"),
    file!("Tags-l5l3fwnb.js", "text/javascript; charset=utf-8"),
    file!("Toasts-c71vvqcv.js", "text/javascript; charset=utf-8"),
    file!("Toasts-cs5ln3l0.css", "text/css; charset=utf-8"),
    file!("ValueMenu-gdjznp6p.js", "text/javascript; charset=utf-8"),
    file!("ViewDialog-dchnopyp.css", "text/css; charset=utf-8"),
    file!("ViewDialog-lgf7ijsh.js", "text/javascript; charset=utf-8"),
    file!("acted-bj7c8dgv.js", "text/javascript; charset=utf-8"),
    file!("clipboard.svelte-j899oavl.js", "text/javascript; charset=utf-8"),
    file!("console-dqz00jyy.css", "text/css; charset=utf-8"),
    file!("console-jw9m1l14.js", "text/javascript; charset=utf-8"),
    file!("cs-d2yqjrb9.js", "text/javascript; charset=utf-8"),
    file!("en-l1jbrk9w.js", "text/javascript; charset=utf-8"),
    file!("keptstore-ckj0fqnn.js", "text/javascript; charset=utf-8"),
    file!("listOrder.svelte-gegac10c.js", "text/javascript; charset=utf-8"),
    file!("more-ecehza94.js", "text/javascript; charset=utf-8"),
    file!("more-oug7yuwl.js", "text/javascript; charset=utf-8"),
    file!("parse-e7jlhafq.js", "text/javascript; charset=utf-8"),
    file!("plot-h57yz16k.js", "text/javascript; charset=utf-8"),
    file!("plural-cu3ubgfx.js", "text/javascript; charset=utf-8"),
    file!("rolldown-runtime-mam1o4z7.js", "text/javascript; charset=utf-8"),
    file!("selection-629jhqmp.js", "text/javascript; charset=utf-8"),
];
