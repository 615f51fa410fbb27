/** Box that opens a world by its address, list of recently opened worlds, and the start page with both. */
import { navigate } from '../navigation/navigation.ts'
import { originTyped } from '../navigation/route.ts'
import { forgetWorld, recentWorlds } from '../navigation/settings.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { CrossIcon } from '../parts/icons.tsx'
import { LineForm } from '../parts/line-form.tsx'
import { To } from '../parts/link.tsx'
import { loaded } from '../parts/loaded.tsx'
import { ShortText } from '../parts/text.tsx'
import { words } from '../words/words.ts'

const Together = loaded(async () => (await import('./together.tsx')).Together)

/** Input box for the address of a world to open. */
export function OpenBox() {
  const { start } = words.value

  function open(text: string) {
    const origin = originTyped(text)
    if (origin !== undefined) navigate({ page: 'home', origin })
    return origin !== undefined
  }

  return <LineForm label={start.label} box={BOX} button={start.open} wrong={start.invalid} onText={open} />
}

const BOX = {
  type: 'url',
  inputMode: 'url',
  autocomplete: 'url',
  autocapitalize: 'none',
  spellcheck: false,
  placeholder: 'https://sol.example',
} as const

/** Recently opened worlds, which can be reopened or forgotten. Omits the open world, whose origin is `except`. */
export function RecentWorlds({ except }: { except?: string }) {
  const { start } = words.value
  const worlds = recentWorlds.value.filter(({ origin }) => origin !== except)
  if (worlds.length === 0) return except === undefined ? <p class="soft">{start.noRecent}</p> : null
  return (
    <ul class="recent">
      {worlds.map(({ origin, name }) => (
        <li key={origin}>
          <To route={{ page: 'home', origin }}>
            <span class="recent-name">
              <ShortText text={name} most={80} />
            </span>
            <span class="soft code">
              <ShortText text={origin} most={80} />
            </span>
          </To>
          <IconButton label={start.forget(name)} onClick={() => forgetWorld(origin)}>
            <CrossIcon />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

/** Start page, shown if no world is open. */
export function StartPage({ text = '' }: { text?: string | undefined }) {
  const { start } = words.value
  return (
    <div class="page narrow start">
      <h1 class="display arrival" tabIndex={-1}>
        {start.title}
      </h1>
      <p class="lead">{start.text}</p>
      <OpenBox />
      <section>
        <h2>{start.recent}</h2>
        <RecentWorlds />
      </section>
      {recentWorlds.value.length > 1 && <Together text={text} />}
    </div>
  )
}
