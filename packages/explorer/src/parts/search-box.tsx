/** The search of a world, at the top of each of its pages: one and the same box, so that nothing takes the focus away. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, route } from '../navigation/navigation.ts'
import { words } from '../words/words.ts'
import { CrossIcon, SearchIcon } from './icons.tsx'

/** Milliseconds of quiet after a key before the world is asked, while keys follow each other. */
const DEBOUNCE_MS = 40
/** A key after such a pause is asked for at once: only what follows faster is worth waiting for. */
const PAUSE_MS = 80

/** The search box. What is typed becomes the address of the search page. */
export function SearchBox({ origin }: { origin: string }) {
  const { text, type, ask, isAsked } = useSearchText(origin)
  const input = useRef<HTMLInputElement>(null)
  const { search } = words.value

  function key(event: KeyboardEvent) {
    if (event.isComposing) return
    const first = document.querySelector<HTMLElement>('[data-result] a[data-main]')
    const isCurrent = route.peek().page === 'search' && isAsked()
    if (event.key === 'Escape') {
      if (text === '') input.current?.blur()
      else type('')
    } else if ((event.key === 'ArrowDown' || event.key === 'Enter') && first !== null && isCurrent) {
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
      />
      {text === '' ? (
        <kbd>/</kbd>
      ) : (
        <button
          type="button"
          class="button icon-only"
          aria-label={search.clear}
          onClick={() => {
            type('')
            input.current?.focus()
          }}
        >
          <CrossIcon />
        </button>
      )}
    </search>
  )
}

/** The text in the search box of a world. What is typed becomes the address of the search page. */
function useSearchText(origin: string) {
  const at = route.value
  const asked = at.page === 'search' ? at.text : ''
  const [text, setText] = useState(asked)
  const typing = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; last: number; asked: string }>({
    last: 0,
    asked,
  })

  // Another way than typing led to this search, or away from it.
  useEffect(() => {
    if (asked === typing.current.asked) return
    clearTimeout(typing.current.timer)
    typing.current.asked = asked
    setText(asked)
  }, [asked])

  useEffect(() => () => clearTimeout(typing.current.timer), [])

  function ask(wanted: string) {
    typing.current.asked = wanted
    const now = route.peek()
    const isHere = now.page === 'search'
    if (!isHere && wanted === '') return
    navigate(
      { page: 'search', origin, text: wanted, types: isHere ? now.types : [] },
      isHere ? 'replace' : 'go',
    )
  }

  function type(wanted: string) {
    setText(wanted)
    const { timer, last } = typing.current
    clearTimeout(timer)
    const now = performance.now()
    typing.current.last = now
    if (now - last > PAUSE_MS) ask(wanted)
    else typing.current.timer = setTimeout(() => ask(wanted), DEBOUNCE_MS)
  }

  return { text, type, ask, isAsked: () => typing.current.asked === text }
}
