/** Disclosure for what only developers need. */
import type { ComponentChildren } from 'preact'
import { words } from '../words/words.ts'

/** Content for developers, folded until the user opens it or unless `isOpen`. */
export function Developers({ isOpen = false, children }: { isOpen?: boolean; children: ComponentChildren }) {
  return (
    <details class="developers" open={isOpen}>
      <summary>{words.value.app.developers}</summary>
      {children}
    </details>
  )
}
