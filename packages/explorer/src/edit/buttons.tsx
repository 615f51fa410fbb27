/** Buttons at the end of the editor's forms. */
import type { ComponentChildren } from 'preact'
import { words } from '../words/words.ts'

interface ButtonsProps {
  readonly label: string
  readonly isBusy: boolean
  readonly onCancel: () => void
  readonly children?: ComponentChildren
}

/** Button that sends a form, `children`, and a button that cancels. */
export function Buttons({ label, isBusy, onCancel, children }: ButtonsProps) {
  return (
    <div class="row">
      <button type="submit" class="button primary" disabled={isBusy}>
        {label}
      </button>
      {children}
      <button type="button" class="button" onClick={onCancel}>
        {words.value.app.cancel}
      </button>
    </div>
  )
}
