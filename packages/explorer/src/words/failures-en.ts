import type { Cause } from '../world/failure.ts'

/** Strings for each failure cause, in English: what went wrong, and what to do about it. */
export const FAILURES_EN: Readonly<Record<Cause, Record<'title' | 'text' | 'wayOut', string>>> = {
  notAWorld: {
    title: 'This is not a world',
    text: 'Something answers at this address, but not with the discovery document that every world publishes at /.well-known/world.json.',
    wayOut:
      'Check the address: a world is opened by its origin, such as https://sol.example, without a path.',
  },
  otherVersion: {
    title: 'This world speaks another version',
    text: 'It is a world, but of a protocol version this page does not read.',
    wayOut: 'Look for a newer explorer, or ask the operator whether world/0.1 is offered too.',
  },
  offline: {
    title: 'You are offline',
    text: 'This browser has no connection to any network just now.',
    wayOut: 'Connect and try again. What was read before is still behind the Back button.',
  },
  unreachable: {
    title: 'No answer came',
    text: 'Either nothing listens at this address, or it answers without the CORS headers that let a page of another origin read it. A browser does not tell which.',
    wayOut:
      'Check the address, and ask the operator whether Access-Control-Allow-Origin is sent. Programs outside a browser do not need it: npx worldwright explore ORIGIN shows such a world.',
  },
  mixedContent: {
    title: 'A secure page may not read from plain http',
    text: 'This page was loaded over https, and browsers refuse to let it read a world over http.',
    wayOut: 'Open the explorer that the world itself serves, at its own address, or use its https address.',
  },
  timeout: {
    title: 'The world takes too long',
    text: 'It did not answer within the time this page waits.',
    wayOut: 'It may be busy or asleep. Try again in a moment.',
  },
  notFound: {
    title: 'There is no such entity',
    text: 'The world answers, but knows nothing of this type and id. It may have been removed, or the link may be old.',
    wayOut: 'Look at the list of its type, or search for it.',
  },
  unknownType: {
    title: 'There is no such type',
    text: 'The world answers, but does not know this entity type.',
    wayOut: 'Its types are listed on its first page.',
  },
  needsToken: {
    title: 'This needs a token',
    text: 'None was given here, or the world does not accept the one that was.',
    wayOut:
      'Enter a token that its operator gave you. It goes to the API of this world alone, and is forgotten with this tab.',
  },
  insecure: {
    title: 'The token may not go to the API of this world',
    text: 'The API is on another origin than the world, whose operator could collect tokens, or on plain http, where everyone on the way could read them. The token was not sent.',
    wayOut: 'Open the world by the https address of its API, or forget the token.',
  },
  forbidden: {
    title: 'This world refuses',
    text: 'It understood the request and does not allow it.',
    wayOut: 'Ask its operator.',
  },
  busy: {
    title: 'The world asks you to wait',
    text: 'It has more requests than it can take, or allows only so many at a time.',
    wayOut: 'Wait as long as it says, then try again.',
  },
  moved: {
    title: 'The world has moved',
    text: 'Its API is no longer where it was, or another world answers at this address.',
    wayOut: 'Open it again from its origin.',
  },
  badCursor: {
    title: 'This place in the list is gone',
    text: 'The link names a place in the list that the world no longer recognises.',
    wayOut: 'Show the list from its start.',
  },
  badOrigin: {
    title: 'This is not the address of a world',
    text: 'A world is opened by its origin: scheme, host and port, and no more.',
    wayOut: 'Write it like https://sol.example or http://localhost:8080',
  },
  refused: {
    title: 'The world does not accept this request',
    text: 'It says what is wrong with it below.',
    wayOut: 'Change the request, or go back.',
  },
  serverFault: {
    title: 'The world has a fault',
    text: 'Something went wrong on its side.',
    wayOut: 'Try again. If that does not help, tell the operator the request id below.',
  },
  strange: {
    title: 'This answer cannot be read',
    text: 'An answer came, but it is too large, does not end, or is not JSON.',
    wayOut: 'Try again, or look at it as it was received.',
  },
  unrecognised: {
    title: 'This answer was not recognised',
    text: 'Worlds are free to choose their names. Where this one keeps its list, or what says whether the list goes on, is not known here.',
    wayOut: 'Look at the answer as it was received, and give the names by hand under “About this world”.',
  },
  ownFault: {
    title: 'This page has a fault',
    text: 'It is a fault of the explorer, not of the world.',
    wayOut: 'Go back or reload the page, and report what is shown below to the makers of Worldwright.',
  },
}
