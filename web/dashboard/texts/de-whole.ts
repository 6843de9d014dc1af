import type { WholeTexts } from './en-whole.ts'

export const de: WholeTexts = {
  title: 'Das ganze Konto',
  about:
    'Alles in diesem Konto, in Dateien, die ein anderer Server importieren kann: Produkte, Kunden, Lizenzen, Zahlungen, mit ihren IDs und Schlüsseln.',
  export: 'Konto exportieren',
  again: 'Noch einmal exportieren',
  none: 'Es gibt noch keinen Export des Kontos.',
  noneMore:
    'Exportieren Sie es, um auf einen anderen Server zu ziehen oder eine Kopie zu behalten. Sie können dabei weiterarbeiten.',
  ownerOnly: 'Nur der Inhaber des Kontos kann alles exportieren.',
  exportMore:
    'Es wird neben Ihrer Arbeit geschrieben und zeigt den Stand eines Augenblicks. Die Datei ist 24 Stunden lang da; eine neuere ersetzt sie.',
  keys: 'In der Datei stehen Schlüssel und Tokens im Klartext. Bewahren Sie sie auf wie Passwörter, und löschen Sie sie nach dem Umzug.',
  format: 'Dateien darin',
  jsonl: 'JSON Lines',
  csv: 'CSV, auch für Tabellen',
  soFar: '{rows} Zeilen bisher',
  waits: 'Es beginnt gleich.',
  packing: '{rows} Zeilen sind geschrieben und werden gepackt.',
  mayLeave: 'Sie können diese Seite verlassen: Es geht weiter.',
  written: '{rows} Zeilen, {size}.',
  failed: 'Der Export ist gescheitert: {why}',
  expired: 'Die letzte Datei ist nicht mehr da. Sie hatte {rows} Zeilen.',
  asked: 'Verlangt',
  until: 'Da bis',
  download: 'Herunterladen',
  downloadTitle: 'Konto herunterladen',
  show: 'Weiter',
  ready: 'Die Datei ist bereit',
  works: 'Der Link endet {time}. Bis dahin kann jeder die Datei herunterladen, der ihn hat.',
  open: 'Zeigen',
  openOf: 'Export des Kontos #{id} zeigen',
  imports: 'Auf einen anderen Server bringen',
  importsMore:
    'Öffnen Sie dort Importe und laden Sie die Datei hoch. Eine Datei über 512 MB bringt ein, wer jenen Server betreibt.',
}
