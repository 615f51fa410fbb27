/** Pinned views of a world: lists with conditions, order and layout, which the browser keeps with their titles. */
import { textMember } from '@worldwright/extensions/shown'
import { VIEW_PATH } from '@worldwright/extensions/views'
import { type RouteTo, routeFrom } from '../navigation/route.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { CrossIcon, icon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { pathOf, readViewTitle } from '../question/view-title.ts'
import { jsonFrom } from '../text/attempt.ts'
import { words } from '../words/words.ts'
import './desk.css'
import { deskWords } from './desk-words.ts'
import { pinned } from './kept-lists.ts'
import { focusBeside } from './tray.tsx'

const PinIcon = icon(<path d="M9 4h6l-1 6 3 4H7l3-4zM12 14v6" />)

/** Returns the pinned views of a world, oldest first, labelled by title and layout. Leaves out what a damaged storage holds. */
export function pinsOf(origin: string) {
  const list = jsonFrom(pinned.of(origin))
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const [title, path] = [textMember(entry, 'title'), textMember(entry, 'path')]
    if (title === undefined || !path?.startsWith(VIEW_PATH)) return []
    const route = routeFrom(`/w/${encodeURIComponent(origin)}/t/${path.slice(VIEW_PATH.length)}`)
    if (route.page !== 'list') return []
    const label = route.view ? `${title} · ${words.value.views[route.view]}` : title
    return [{ title, path, route, label }]
  })
}

/** Removes a view from the pinned ones, and then pins it as the newest if it has a title. */
function pin(origin: string, path: string, title?: string) {
  const others = pinsOf(origin).filter((one) => one.path !== path)
  const kept = others.map(({ title, path }) => ({ title, path }))
  if (title !== undefined) kept.push({ title, path })
  pinned.set(origin, kept.length > 0 ? JSON.stringify(kept) : undefined)
}

/** Button that pins a list, or takes it from the pinned ones. */
export function PinButton({ route }: { route: RouteTo<'list'> }) {
  const open = useOpenWorld()
  const { origin } = open.world
  const path = pathOf(route)
  const isPinned = pinsOf(origin).some((one) => one.path === path)
  return (
    <button
      type="button"
      class="button small pin"
      aria-pressed={isPinned}
      onClick={async () =>
        pin(origin, path, isPinned ? undefined : await readViewTitle(open, route.type, route))
      }
    >
      <PinIcon /> <span>{deskWords().pin}</span>
    </button>
  )
}

/** Section of the home page with links to the pinned views, each with a button that removes it. */
export function Pins() {
  const { origin } = useOpenWorld().world
  const pins = pinsOf(origin)
  if (pins.length === 0) return null
  return (
    <section>
      <h2>{deskWords().pinned}</h2>
      <ul class="recent">
        {pins.map(({ label, path, route }) => (
          <li key={path}>
            <To route={route}>
              <ShortText text={label} most={220} />
            </To>
            <IconButton
              label={`${words.value.views.drop}: ${label}`}
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget)
                pin(origin, path)
              }}
            >
              <CrossIcon />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
