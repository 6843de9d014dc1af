/** What the checks of the server say, as a pattern of the English line, and that in German. */
const LINES: readonly (readonly [RegExp, string])[] = [
  [/^there are none yet$/, 'es gibt noch keine'],
  [/^(\d+) versions have theirs$/, '$1 Versionen haben ihres'],
  [
    /^(\d+) of (\d+) versions have no whole archive: (.*)$/,
    '$1 von $2 Versionen haben kein ganzes Archiv: $3',
  ],
  [
    /^Put the folder "files" of a backup back, or delete these versions\.$/,
    'Den Ordner „files“ einer Sicherung zurückspielen oder diese Versionen löschen.',
  ],
  [
    /^Check that this is the database that belongs to the data folder\.$/,
    'Prüfen, ob dies die Datenbank ist, die zum Datenordner gehört.',
  ],
  [
    /^They are removed within two hours .*$/,
    'Sie werden binnen zwei Stunden entfernt, solange „serve“ oder „worker“ die Aufgaben ausführt; bleiben sie, sagt das Protokoll, warum.',
  ],
  [/^(\d+) archives? belongs? to no version$/, '$1 Archive gehören zu keiner Version'],
  [/^it does not answer$/, 'er antwortet nicht'],
  [
    /^Look whether this machine reaches it; payments wait for it\.$/,
    'Nachsehen, ob diese Maschine ihn erreicht; Zahlungen warten auf ihn.',
  ],
  [/^it refuses the credentials: (.*)$/, 'er lehnt die Zugangsdaten ab: $1'],
  [/^Set its keys \(docs\/gateways\.md\)\.$/, 'Seine Schlüssel setzen (docs/gateways.md).'],
  [
    /^Run this again; the gateway may say more of it\.$/,
    'Noch einmal ausführen; vielleicht sagt der Anbieter mehr dazu.',
  ],
  [/^Set its webhook to (.*) \(docs\/gateways\.md\)\.$/, 'Seinen Webhook auf $1 setzen (docs/gateways.md).'],
  [/^it takes the credentials, and reports here$/, 'er nimmt die Zugangsdaten und berichtet hierher'],
  [
    /^it takes the credentials, which may not ask what it reports$/,
    'er nimmt die Zugangsdaten, die nicht fragen dürfen, was er berichtet',
  ],
  [
    /^it takes the credentials, and reports nothing to this server$/,
    'er nimmt die Zugangsdaten und berichtet diesem Server nichts',
  ],
  [/^it takes the credentials, and reports to (.*)$/, 'er nimmt die Zugangsdaten und berichtet an $1'],
  [/^it does not report (.*)$/, 'er berichtet nicht: $1'],
  [/^Let its webhook report these too\.$/, 'Seinen Webhook auch das berichten lassen.'],
  [/^(.*) is at schema (\d+) of (\d+)$/, '$1 ist bei Schema $2 von $3'],
  [
    /^A later version wrote it: install that one\.$/,
    'Eine spätere Version hat sie geschrieben: diese einspielen.',
  ],
  [
    /^The next start brings it up to date; or run: (.*)$/,
    'Der nächste Start bringt sie auf den Stand; oder ausführen: $1',
  ],
  [/^(.*) does not answer: (.*)$/, '$1 antwortet nicht: $2'],
  [/^Check DATABASE_URL and that the database runs\.$/, 'DATABASE_URL prüfen, und ob die Datenbank läuft.'],
  [/^the database finds no damage$/, 'die Datenbank findet keinen Schaden'],
  [/^Stop the server and put a backup back\.$/, 'Den Server anhalten und eine Sicherung zurückspielen.'],
  [
    /^Set the clock by NTP: .*$/,
    'Die Uhr nach NTP stellen: Unterschriften, Sitzungen und Fälligkeiten brauchen die richtige Zeit.',
  ],
  [/^(\d+) s apart from the database's$/, '$1 s von der Datenbank entfernt'],
  [
    /^it is (.*) here, but a row was written at (.*)$/,
    'hier ist es $1, aber eine Zeile wurde um $2 geschrieben',
  ],
  [
    /^Put the secret back that this database was used with\.$/,
    'Das Geheimnis zurücklegen, mit dem diese Datenbank benutzt wurde.',
  ],
  [/^the secret opens them \((\d+) kinds\)$/, 'das Geheimnis öffnet sie ($1 Arten)'],
  [
    /^the keys of (.*) open, but are not found by their hash, .*$/,
    'die Schlüssel von $1 gehen auf, werden aber nicht über ihren Hash gefunden, den ein aufgegebenes Geheimnis gemacht hat',
  ],
  [
    /^Run "keywright secret rotate": .*$/,
    '„keywright secret rotate“ ausführen: Das macht die Hashes neu. Bis dahin werden diese Schlüssel abgelehnt.',
  ],
  [
    /^(\d+) rows are as they were written, (\d+) not chained yet$/,
    '$1 Zeilen sind, wie sie geschrieben wurden, $2 noch nicht verkettet',
  ],
  [/^row (\d+) was changed or taken out$/, 'Zeile $1 wurde geändert oder herausgenommen'],
  [
    /^Compare with a backup: somebody wrote past Keywright\.$/,
    'Mit einer Sicherung vergleichen: Jemand hat an Keywright vorbei geschrieben.',
  ],
  [/^(.*) is not there yet$/, '$1 ist noch nicht da'],
  [/^The first start makes it\.$/, 'Der erste Start legt es an.'],
  [/^(.*) is not a folder$/, '$1 ist kein Ordner'],
  [/^Set KEYWRIGHT_DATA to a folder\.$/, 'KEYWRIGHT_DATA auf einen Ordner setzen.'],
  [/^(.*) cannot be written$/, '$1 ist nicht zu beschreiben'],
  [/^Give this user the right to write (.*)\.$/, 'Diesem Benutzer das Recht geben, $1 zu beschreiben.'],
  [/^(.*) is open to other users \((.*)\)$/, '$1 steht anderen Benutzern offen ($2)'],
  [/^(.*) can be written \((.*)\)$/, '$1 ist zu beschreiben ($2)'],
  [/^the room in (.*) is not known$/, 'wie viel Platz in $1 ist, ist nicht bekannt'],
  [/^Start the server once\.$/, 'Den Server einmal starten.'],
  [/^(\d+) MB are free$/, '$1 MB sind frei'],
  [/^Make room: without any, nothing can be written\.$/, 'Platz schaffen: Ohne ihn ist nichts zu schreiben.'],
  [
    /^(.*); losing it loses the stored keys, so keep a copy apart from the database$/,
    '$1; geht es verloren, gehen die gespeicherten Schlüssel verloren, also eine Kopie getrennt von der Datenbank aufbewahren',
  ],
  [
    /^Put the secret back from a copy: nothing else opens the keys in the database\.$/,
    'Das Geheimnis aus einer Kopie zurücklegen: Nichts sonst öffnet die Schlüssel in der Datenbank.',
  ],
  [/^(.*) is gone$/, '$1 ist weg'],
  [/^(.*) holds an old secret as well$/, '$1 enthält auch ein altes Geheimnis'],
  [
    /^each that is to charge a renewal is set up$/,
    'jeder, der eine Verlängerung abbuchen soll, ist eingerichtet',
  ],
  [
    /^Set its keys \(docs\/gateways\.md\); until then .*$/,
    'Seine Schlüssel setzen (docs/gateways.md); bis dahin wird dafür niemand belastet oder gemahnt.',
  ],
  [
    /^of every one that was asked for it is known how it ended$/,
    'von jeder, die verlangt wurde, ist bekannt, wie sie ausging',
  ],
  [
    /^The jobs ask on; the log says why\. .* show: (.*)$/,
    'Die Aufgaben fragen weiter; das Protokoll sagt, warum. Was ein Anbieter nicht mehr nennt, nach dessen Seiten angeben: $1',
  ],
  [/^they go on; (\d+) subscriptions are due$/, 'sie laufen; $1 Abonnements sind fällig'],
  [
    /^Look at the account and the keys of the gateway\. .*$/,
    'Konto und Schlüssel des Anbieters ansehen. Es wird neu abgebucht, niemandem wird eine gescheiterte Zahlung gemeldet.',
  ],
  [
    /^they wait, as the server was away since (.*); (\d+) subscriptions are due$/,
    'sie warten, da der Server seit $1 weg war; $2 Abonnements sind fällig',
  ],
  [
    /^If the clock is right and those who are due may be charged: (.*)$/,
    'Wenn die Uhr stimmt und die Fälligen belastet werden dürfen: $1',
  ],
  [/^no row is left alone for good$/, 'keine Zeile ist für immer liegen gelassen'],
  [
    /^Each has failed ten times\. The log has the whole errors\. Once the cause is mended: (.*)$/,
    'Jede ist zehnmal gescheitert. Das Protokoll hat die ganzen Fehler. Ist die Ursache behoben: $1',
  ],
  [
    /^Run this again; if it stays, put a backup back\.$/,
    'Noch einmal ausführen; bleibt es, eine Sicherung zurückspielen.',
  ],
]

const NAMES: Readonly<Record<string, string>> = {
  'data folder': 'Datenordner',
  disk: 'Platte',
  secret: 'Geheimnis',
  database: 'Datenbank',
  integrity: 'Unversehrtheit',
  clock: 'Uhr',
  'stored keys': 'Gespeicherte Schlüssel',
  'audit log': 'Audit-Log',
  renewals: 'Verlängerungen',
  charges: 'Abbuchungen',
  gateways: 'Anbieter',
  jobs: 'Aufgaben',
  archives: 'Archive',
}

/** A line of a check in German; what is said by something else, such as an error of the system, as it is. */
export function germanLine(line: string): string {
  const [pattern, german] = LINES.find(([one]) => one.test(line)) ?? []
  return pattern && german !== undefined ? line.replace(pattern, german) : line
}

/** What is looked at, in German. */
export const germanName = (check: string): string => NAMES[check] ?? check
