/** Dialog in which entities and commands are found by typing. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { navigate } from '../navigation/navigation.ts'
import { Dialog } from '../parts/dialog.tsx'
import { comboboxOf, Options, useSuggestions } from '../parts/suggestions.tsx'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count, words } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'
import { type Command, commandsOf, matching } from './page-commands.ts'

/** Maximum number of options shown. */
const MOST = 100

/** The dialog. A chosen command runs once it is closed, since the page is inert before. */
export function CommandDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const chosen = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    if (!isOpen) chosen.current?.()
    chosen.current = undefined
  }, [isOpen])

  function choose({ run }: Command) {
    chosen.current = run
    onClose()
  }

  return (
    <Dialog title={words.value.keys.commands} isOpen={isOpen} onClose={onClose}>
      <Commands onChoose={choose} />
    </Dialog>
  )
}

/** Box with the commands that match what is typed, then the entities that the world finds, and then its search. */
function Commands({ onChoose }: { onChoose: (command: Command) => void }) {
  const { profile } = useOpenWorld()
  const { origin } = profile
  const [known] = useState(() => commandsOf(profile))
  const [{ text, at }, setTyped] = useState({ text: '', at: 0 })
  const { found } = useSuggestions(text)
  const { home, keys, search, views } = words.value
  const commands: readonly Command[] = [
    ...matching(known, text),
    ...found.map((entity) => ({
      label: nameOf(entity),
      kind: typeIn(profile, entity.type).title,
      run: () => navigate({ page: 'entity', origin, type: entity.type, id: entity.id }),
    })),
    {
      label: text.trim() || home.searchAll,
      kind: search.label,
      run: () => navigate({ page: 'search', origin, text, types: [] }),
    },
  ]
  const shown = [...commands.slice(0, MOST - 1), ...commands.slice(MOST - 1).slice(-1)]
  const active = Math.min(at, shown.length - 1)
  const choose = (index: number) => shown[index] && onChoose(shown[index])

  useEffect(() => {
    document.querySelector('.commands [aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function key(event: KeyboardEvent) {
    if (event.isComposing || !/^(?:ArrowDown|ArrowUp|Enter)$/.test(event.key)) return
    event.preventDefault()
    if (event.key === 'Enter') choose(active)
    else setTyped({ text, at: (active + (event.key === 'ArrowUp' ? -1 : 1) + shown.length) % shown.length })
  }

  return (
    <div class="commands">
      <input
        class="field"
        dir="auto"
        value={text}
        {...comboboxOf({ isOpen: true, active })}
        aria-label={keys.commands}
        autocomplete="off"
        maxLength={512}
        onInput={(event) => setTyped({ text: event.currentTarget.value, at: 0 })}
        onKeyDown={key}
      />
      <Options
        options={shown.map(({ label, kind }) => ({ label, kind: <ShortText text={kind} most={40} /> }))}
        active={active}
        label={keys.commands}
        onChoose={choose}
      />
      {commands.length > MOST && <p class="soft">{views.shown(count(MOST), count(commands.length))}</p>}
    </div>
  )
}
