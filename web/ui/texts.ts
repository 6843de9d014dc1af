import { languageAmong, textsOf } from '../shared/language.ts'

/** The words of what all pages with a shell share. */
const en = {
  loading: 'Loading',
  none: '–',
  failed: 'This could not be loaded.',
  tryAgain: 'Try again',
  request: 'Request {id}',
  away: 'The server does not answer. Trying again.',
  facts: 'Facts',
  close: 'Close',
  undo: 'Undo',
}

const de: typeof en = {
  loading: 'Wird geladen',
  none: '–',
  failed: 'Das konnte nicht geladen werden.',
  tryAgain: 'Noch einmal versuchen',
  request: 'Anfrage {id}',
  away: 'Der Server antwortet nicht. Es wird weiter versucht.',
  facts: 'Angaben',
  close: 'Schließen',
  undo: 'Rückgängig',
}

const LANGUAGES = { en, de }

export const texts = textsOf(languageAmong(navigator.languages, LANGUAGES), LANGUAGES, en)
