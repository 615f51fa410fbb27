/** Snippets that send the same request in four ways. */
import { signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { type Read, type Snippets, snippetsFor } from '../copy/snippets.ts'
import { words } from '../words/words.ts'
import { tokenFor } from '../world/tokens.ts'
import { CopyButton } from './copy-button.tsx'
import { Safe } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Last selected tab, which is also selected on later pages. */
const chosen = signal<keyof Snippets>('curl')

function choose(name: keyof Snippets) {
  chosen.value = name
}

/** Snippet for a request, with tabs for its four forms. */
export function SnippetTabs({ read, label }: { read: Read; label: string }) {
  const { profile } = useOpenWorld()
  const { entity } = words.value
  const { origin, api, needsToken } = profile
  const isPrivate = needsToken || tokenFor(origin) !== undefined
  const name = chosen.value
  const group = useId()
  const text = snippetsFor(read, { origin, api, isPrivate })[name]
  return (
    <div class="tabs">
      <div class="tab-list">
        <fieldset class="switch">
          <legend class="hidden">{label}</legend>
          {(['curl', 'fetch', 'client', 'world'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name={group} checked={one === name} onChange={() => choose(one)} />
              <span>{entity[one]}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div class="snippet">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
        <pre tabIndex={0} dir="ltr">
          <Safe text={text} dir="ltr" />
        </pre>
        <CopyButton text={() => text} what={entity[name]} />
      </div>
    </div>
  )
}
