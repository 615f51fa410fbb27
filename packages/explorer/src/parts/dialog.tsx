/** Modal dialog, based on the `dialog` element, which traps focus and makes the rest of the page inert. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../words/words.ts'
import { IconButton } from './icon-button.tsx'
import { CrossIcon } from './icons.tsx'
import { Safe } from './text.tsx'

/** Modal dialog, open while `isOpen` is true. Escape, the close button and a click on the backdrop close it. */
export function Dialog(props: {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ComponentChildren
}) {
  const { title, isOpen, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()

  // Before the next frame: the focus would be on no element while the contents are gone.
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape.
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {isOpen && (
        <div class="dialog-inner">
          <h2 id={id}>
            <Safe text={title} />
          </h2>
          {children}
          <IconButton label={words.value.app.close} class="close" onClick={onClose}>
            <CrossIcon />
          </IconButton>
        </div>
      )}
    </dialog>
  )
}
