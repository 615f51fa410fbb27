/** Places for the desk: the entities to compare, their comparison, the commands and the pinned views, loaded together. */
import { useEffect, useState } from 'preact/hooks'
import { loaded, needed } from '../parts/loaded.tsx'
import { compared } from './kept-lists.ts'

const desk = () => import('./desk.tsx')

const CommandDialog = needed(async () => (await desk()).CommandDialog)
const Tray = loaded(async () => (await desk()).Tray)

/** Tray of the entities to compare, if there are any, and the dialog of commands, once Ctrl-K was pressed. */
export function Desk({ origin }: { origin: string }) {
  const [isOpen, setOpen] = useState<boolean>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // In a line of text, Ctrl-K deletes its rest on a Mac.
      const isHeld = /^(?:Mac|iP)/.test(navigator.platform) ? event.metaKey : event.ctrlKey
      if (!isHeld || event.altKey || event.shiftKey || !isK(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      {compared.of(origin) && <Tray />}
      {isOpen !== undefined && <CommandDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Reports whether a key is K, or is where K is on a keyboard of another script. */
function isK({ key, code }: KeyboardEvent): boolean {
  return /^k$/i.test(key) || (key > '~' && code === 'KeyK')
}

/** Button that puts an entity into the tray. */
export const CompareButton = loaded(async () => (await desk()).CompareButton)

/** Section of the home page with the pinned views. */
export const Pins = loaded(async () => (await desk()).Pins)
