/** The search of a world, at the top of each of its pages: always the same box, so that it keeps the focus. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, route } from '../navigation/navigation.ts'
import { words } from '../words/words.ts'
import { IconButton } from './icon-button.tsx'
import { CrossIcon, SearchIcon } from './icons.tsx'
import { comboboxOf, Suggestions, useSuggestions } from './suggestions.tsx'

/** Debounce time of a key, in milliseconds, while keys follow each other. */
const DEBOUNCE_MS = 40
/** Pause after which a key is searched for immediately, in milliseconds: only faster keys are worth waiting for. */
const PAUSE_MS = 80

/**
 * The search box. On the search page the typed text becomes its address, and the results follow; elsewhere the first
 * results are suggested below the box, and Enter leads to all of them.
 */
export function SearchBox({ origin }: { origin: string }) {
  const { text, type, ask, isAsked, wanted, dismiss } = useSearchText(origin)
  const input = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(wanted)
  const { search } = words.value
  const { found, active, isOpen } = suggestions

  function choose(index: number) {
    const entity = found[index]
    if (entity === undefined) return
    type('')
    dismiss()
    navigate({ page: 'entity', origin, type: entity.type, id: entity.id })
    input.current?.blur()
  }

  function clear() {
    type('')
    input.current?.focus()
  }

  function key(event: KeyboardEvent) {
    if (event.isComposing) return
    const first = document.querySelector<HTMLElement>('[data-result] a[data-main]')
    const isCurrent = route.peek().page === 'search' && isAsked()
    if (event.key === 'Escape') {
      if (isOpen) dismiss()
      else if (text === '') input.current?.blur()
      else type('')
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      suggestions.step(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && isOpen && active >= 0) choose(active)
    else if ((event.key === 'ArrowDown' || event.key === 'Enter') && first !== null && isCurrent) {
      first.focus()
    } else if (event.key === 'Enter') ask(text)
    else return
    event.preventDefault()
  }

  return (
    <search class="search-box">
      <SearchIcon />
      <input
        ref={input}
        id="search"
        type="search"
        {...comboboxOf(suggestions)}
        dir="auto"
        value={text}
        aria-label={search.label}
        placeholder={search.placeholder}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        enterkeyhint="search"
        maxLength={512}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={key}
        onBlur={dismiss}
      />
      {text === '' ? (
        <kbd>/</kbd>
      ) : (
        <IconButton label={search.clear} onClick={clear}>
          <CrossIcon />
        </IconButton>
      )}
      <Suggestions {...suggestions} onChoose={choose} />
    </search>
  )
}

/** State of the search box of a world. `wanted` is the text to suggest for: empty on the search page, which shows all. */
function useSearchText(origin: string) {
  const at = route.value
  const asked = at.page === 'search' ? at.text : ''
  const [text, setText] = useState(asked)
  const [wanted, setWanted] = useState('')
  const typing = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; last: number; asked: string }>({
    last: 0,
    asked,
  })

  // On another page, suggestions for earlier text are obsolete.
  useEffect(() => setWanted(''), [at])

  // The search changed by other means than typing.
  useEffect(() => {
    if (asked === typing.current.asked) return
    clearTimeout(typing.current.timer)
    typing.current.asked = asked
    setText(asked)
  }, [asked])

  useEffect(() => () => clearTimeout(typing.current.timer), [])

  /** Ends suggesting, also for a key that was just pressed; a search in progress continues. */
  function dismiss() {
    if (route.peek().page !== 'search') clearTimeout(typing.current.timer)
    setWanted('')
  }

  function ask(asked: string) {
    clearTimeout(typing.current.timer)
    setWanted('')
    typing.current.asked = asked
    const now = route.peek()
    const isHere = now.page === 'search'
    if (!isHere && asked === '') return
    navigate(
      { page: 'search', origin, text: asked, types: isHere ? now.types : [] },
      isHere ? 'replace' : 'go',
    )
  }

  function follow(typed: string) {
    if (route.peek().page === 'search') ask(typed)
    else setWanted(typed)
  }

  function type(typed: string) {
    setText(typed)
    const { timer, last } = typing.current
    clearTimeout(timer)
    const now = performance.now()
    typing.current.last = now
    if (now - last > PAUSE_MS) follow(typed)
    else typing.current.timer = setTimeout(() => follow(typed), DEBOUNCE_MS)
  }

  return { text, type, ask, isAsked: () => typing.current.asked === text, wanted, dismiss }
}
