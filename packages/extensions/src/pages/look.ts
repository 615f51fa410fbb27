/** Look of a world: a picture and a logo above its home page, and the colour of its links. */
import type { Route, WorldResponse } from '@worldwright/core'
import { VIEW_PATH } from '../views/index.ts'
import type { Featured } from './featured.ts'
import { type Html, html } from './html.ts'

/** File of a look, as it is served. */
export interface LookFile {
  /** Path on the world's origin. It depends on the content. */
  readonly path: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Look of a world, as plain data. */
export interface Look {
  readonly picture?: LookFile | undefined
  readonly logo?: LookFile | undefined
  /** Colours of links, as `#rrggbb`, in the light and the dark scheme. */
  readonly accent?: { readonly light: string; readonly dark: string } | undefined
  /** Server of map tiles in Web Mercator: an address with `{z}`, `{x}` and `{y}`, and the attribution that it asks for. */
  readonly tiles?: { readonly url: string; readonly attribution: string } | undefined
}

/** Returns the routes of the files of a look, which never change under their paths. */
export function lookRoutes({ picture, logo }: Look): readonly Route[] {
  return [picture, logo].flatMap((file) => {
    if (file === undefined) return []
    const answer: WorldResponse = {
      status: 200,
      headers: {
        'content-type': file.mediaType,
        'cache-control': 'public, max-age=31536000, immutable',
        // An SVG may contain scripts, which the sandbox keeps out of this origin.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      },
      body: file.bytes,
    }
    return [{ path: file.path, answers: [file.mediaType], methods: { GET: () => answer } }]
  })
}

/** Renders the picture and the logo. Style gives them their room before they are loaded. */
export function lookHtml({ picture, logo }: Look): Html {
  return html`${picture && html`<img class="picture" src="${picture.path}" alt="">`}${logo && html`<img class="logo" src="${logo.path}" alt="">`}`
}

/** Returns the member of the extension in discovery: the path of views, the look and what is featured. */
export function declared(look: Look, featured: readonly Featured[], hasViews: boolean) {
  const { picture, logo, accent, tiles } = look
  const member = {
    ...(hasViews && { views: VIEW_PATH }),
    ...(picture && { picture: picture.path }),
    ...(logo && { logo: logo.path }),
    ...(accent && { accent }),
    ...(tiles && { tiles }),
    ...(featured.length > 0 && { stories: featured.map((one) => ({ ...one })) }),
  }
  return Object.keys(member).length > 0 ? member : undefined
}
