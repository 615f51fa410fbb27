/** Commands that the dialog offers: the controls of the page, the pinned views, the types of the world, and the settings. */
import type { Signal } from '@preact/signals'
import { navigate } from '../navigation/navigation.ts'
import { chosenLanguage, LANGUAGES, type Language, scheme } from '../navigation/settings.ts'
import { hasMark } from '../text/marks.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import { deskWords } from './desk-words.ts'
import { pinsOf } from './pins.tsx'

/** A command, with its kind as the reader sees it. */
export interface Command {
  readonly label: string
  readonly kind: string
  readonly run: () => void
}

/** Returns the commands of the page that is shown. Its own controls are pressed, so that a command does the same as they do. */
export function commandsOf({ origin, types }: WorldProfile): Command[] {
  const { app, ask, list, search } = words.value
  return [
    ...controls('.switch a', list.view),
    ...controls('main header :is(button, .menu > summary, a.button)', ''),
    ...controls('.ask-property > summary', ask.filters),
    ...pinsOf(origin).map(({ label, route }) => {
      return { label, kind: deskWords().pinned, run: () => navigate(route) }
    }),
    ...types.map(({ type, title }) => {
      return { label: title, kind: search.filters, run: () => navigate({ page: 'list', origin, type }) }
    }),
    ...choices(app.language, chosenLanguage, { auto: app.auto, ...LANGUAGES } as Record<
      Language | 'auto',
      string
    >),
    ...choices(app.scheme, scheme, { auto: app.auto, light: app.light, dark: app.dark }),
    ...controls('.names a, .top-tools > *', ''),
  ]
}

/** Returns the commands that contain a word beginning with each of the typed words. A single letter excludes none. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const typed = text.split(/\s+/).filter((word) => word.length > 1)
  return commands.filter(({ label, kind }) => typed.every((word) => hasMark(`${label} ${kind}`, [word])))
}

function controls(selector: string, kind: string): Command[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)]
  const enabled = found.filter((control) => !control.matches(':disabled'))
  return enabled.map((control) => ({
    label: plainText(control.getAttribute('aria-label') ?? control.textContent),
    kind,
    run() {
      for (let box = control.closest('details'); box; box = box.parentElement?.closest('details') ?? null)
        box.open = true
      control.focus()
      if (control.tagName !== 'SUMMARY') control.click()
    },
  }))
}

function choices<T extends string>(kind: string, setting: Signal<T>, labels: Record<T, string>): Command[] {
  return (Object.keys(labels) as T[]).map((value) => ({
    label: labels[value],
    kind,
    run() {
      setting.value = value
    },
  }))
}
