/** The same read in four ways to copy. */
import { type Read, snippetsFor } from '../copy/snippets.ts'
import { words } from '../words/words.ts'
import { CopyButton } from './copy-button.tsx'
import { Tabs } from './tabs.tsx'
import { Safe } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Tabs of the texts for one read. */
export function SnippetTabs({ read, label }: { read: Read; label: string }) {
  const { outlook } = useOpenWorld()
  const { entity } = words.value
  const snippets = snippetsFor(read, outlook.origin, outlook.api)
  const names = ['curl', 'fetch', 'client', 'world'] as const
  return (
    <Tabs
      label={label}
      items={names.map((name) => ({
        value: name,
        label: entity[name],
        content: () => (
          <div class="snippet">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre tabIndex={0} dir="ltr">
              <Safe text={snippets[name]} dir="ltr" />
            </pre>
            <CopyButton text={() => snippets[name]} what={entity[name]} />
          </div>
        ),
      }))}
    />
  )
}
