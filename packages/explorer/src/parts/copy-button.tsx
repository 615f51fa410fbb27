/** Button that copies text to the clipboard. */
import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.ts'

/** Duration for which the button shows the result, in milliseconds. */
const SAID_MS = 2_000

/** Button that copies a text or a PNG and shows whether it succeeded. `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: () => string | Promise<Blob>; what: string }) {
  const [said, setSaid] = useState<'copied' | 'copyFailed'>()
  const { app } = words.value

  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  async function copy() {
    setSaid((await put(text())) ? 'copied' : 'copyFailed')
  }

  return (
    <button type="button" class="button small" onClick={copy}>
      <span aria-live="polite">{said === undefined ? app.copy : app[said]}</span>
      <span class="hidden">: {what}</span>
    </button>
  )
}

/** Copies a text or a PNG. For a text, falls back to `execCommand` if the clipboard API fails, as it does on pages served over plain http. */
async function put(text: string | Promise<Blob>): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else await navigator.clipboard.write([new ClipboardItem({ 'image/png': text })])
    return true
  } catch {
    if (typeof text !== 'string') return false
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'hidden'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
