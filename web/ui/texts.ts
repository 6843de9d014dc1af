import { textsOf } from '../shared/language.ts'

/** The words of what all pages with a shell share. */
const en = {
  loading: 'Loading',
  none: '–',
  failed: 'This could not be loaded.',
  tryAgain: 'Try again',
  request: 'Request {id}',
  away: 'The server does not answer. Try again when it does.',
  awayMore: 'The server does not answer. It is asked again by itself; what you typed stays.',
  signedOut: 'You were signed out before this was done. Do it again.',
  busy: 'The server is busy. It is asked again in {count} s.',
  facts: 'Facts',
  close: 'Close',
  undo: 'Undo',
  typeName: 'Type “{name}” to go on',
}

const de: typeof en = {
  loading: 'Wird geladen',
  none: '–',
  failed: 'Das konnte nicht geladen werden.',
  tryAgain: 'Noch einmal versuchen',
  request: 'Anfrage {id}',
  away: 'Der Server antwortet nicht. Versuchen Sie es wieder, sobald er das tut.',
  awayMore: 'Der Server antwortet nicht. Er wird von selbst wieder gefragt; was Sie getippt haben, bleibt.',
  signedOut: 'Sie wurden abgemeldet, bevor das geschah. Tun Sie es noch einmal.',
  busy: 'Der Server ist ausgelastet. Er wird in {count} s wieder gefragt.',
  facts: 'Angaben',
  close: 'Schließen',
  undo: 'Rückgängig',
  typeName: '„{name}“ eingeben, um fortzufahren',
}

const LANGUAGES = { en, de }

/** In the language of the page, which says what that is before anything is drawn. */
export let texts = en
export let language = 'en'

export function tellIn(shown: string): void {
  language = shown
  texts = textsOf(language, LANGUAGES, en)
}
