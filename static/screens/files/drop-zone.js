import { useRef, useState } from "../../vendor/hooks.js";
import { classes, html } from "../../core/html.js";
import { sayFailed } from "../../core/messages.js";
import { beginUpload, chosenBy, droppedFiles } from "../../core/uploads.js";
import { Button } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";

/** Where files and folders are dropped or chosen. @param {{ begun: (id: string) => void }} props `begun` gets the id of the upload */
export function DropZone({ begun }) {
  const [isOver, setOver] = useState(false);
  const files = useRef(/** @type {HTMLInputElement | null} */ (null));
  const folder = useRef(/** @type {HTMLInputElement | null} */ (null));
  const take = async (/** @type {Promise<any[]> | any[]} */ found) => {
    try {
      const chosen = await found;
      if (chosen.length > 0) begun(await beginUpload(chosen));
    } catch (error) {
      sayFailed(error);
    }
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer) void take(droppedFiles(event.dataTransfer));
  };
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(true);
  };
  const choose = (/** @type {any} */ event) => {
    void take(chosenBy(event.currentTarget));
    // The same file may be chosen again.
    event.currentTarget.value = "";
  };
  return html`<section class=${classes("drop-zone", isOver && "is-over")} aria-label="Bring files" onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    <${Icon} name="file-up" />
    <p><strong>Drop files or folders here</strong><br /><span class="muted">.ics .vcf .eml .mbox .csv, bank statements (OFX, QIF, MT940, CAMT), Apple Health, Google Takeout, archives of these</span></p>
    <div class="acts">
      <${Button} act=${() => files.current?.click()} icon="file" variant="primary">Choose files<//>
      <${Button} act=${() => folder.current?.click()} icon="folder-up">Choose a folder<//>
    </div>
    <input ref=${files} type="file" multiple hidden data-chooses="files" onChange=${choose} />
    <input ref=${folder} type="file" webkitdirectory hidden data-chooses="folder" onChange=${choose} />
  </section>`;
}
