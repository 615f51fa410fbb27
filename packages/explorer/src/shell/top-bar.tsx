/** Bar at the top of every page, and the content below the bar. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { route } from '../navigation/navigation.ts'
import { hrefOf } from '../navigation/route.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { BrandIcon, InfoIcon, SettingsIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { ShortText } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import type { WorldProfile } from '../world/world-profile.ts'
import { SettingsDialog } from './settings-dialog.tsx'

/** The top bar. If a world is open, it includes the name of the world and the search box. */
function TopBar({ profile }: { profile?: WorldProfile }) {
  const [isOpen, setOpen] = useState(false)
  const { app, about } = words.value
  const { page } = route.value
  return (
    <header class="top-bar">
      <button type="button" class="skip" onClick={skip}>
        {app.skip}
      </button>
      <div class="top-inner">
        <nav class="names" aria-label={app.name}>
          <a
            class="brand"
            href={hrefOf({ page: 'open' })}
            aria-label={`${app.name}: ${app.openOther}`}
            title={app.openOther}
          >
            <BrandIcon />
          </a>
          {profile === undefined ? (
            <span class="world-name">{app.name}</span>
          ) : (
            <To route={{ page: 'home', origin: profile.origin }} class="world-name">
              <ShortText text={profile.name} most={40} />
            </To>
          )}
        </nav>
        {profile !== undefined && <SearchBox key={profile.origin} origin={profile.origin} />}
        <div class="top-tools">
          {profile !== undefined && (
            <a
              class="button icon-only"
              href={hrefOf({ page: 'about', origin: profile.origin })}
              aria-label={about.title}
              title={about.title}
              aria-current={page === 'about' ? 'page' : undefined}
            >
              <InfoIcon />
            </a>
          )}
          <IconButton
            label={app.settings}
            title={app.settings}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <SettingsIcon />
          </IconButton>
        </div>
      </div>
      <SettingsDialog isOpen={isOpen} onOpen={() => setOpen(true)} onClose={() => setOpen(false)} />
    </header>
  )
}

/** The top bar with the content of a page below, in the accent of the world. */
export function Framed(props: { profile?: WorldProfile; class?: string; children: ComponentChildren }) {
  useEffect(() => {
    document.documentElement.style.cssText = props.profile?.accent ?? ''
  }, [props.profile])
  return (
    <>
      <TopBar {...(props.profile && { profile: props.profile })} />
      <main id="main" tabIndex={-1} class={props.class}>
        {props.children}
      </main>
    </>
  )
}

/** Moves the focus to the content, past any filters. */
function skip(): void {
  const content = document.getElementById('results') ?? document.getElementById('main')
  content?.focus()
}
