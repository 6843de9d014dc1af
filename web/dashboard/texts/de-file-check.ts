import type { FileCheckTexts } from './en-file-check.ts'

export const deFileCheck: FileCheckTexts = {
  more: 'Die Lizenzdatei, die ein Kunde hat, oder ihr Text. Sie wird in diesem Browser geprüft und nirgendwohin gesendet.',
  file: 'Lizenzdatei',
  fileHelp: 'Wählen Sie sie, oder legen Sie sie irgendwo auf dieser Seite ab.',
  text: 'Oder ihr Text',
  textHelp: 'Von der Zeile mit BEGIN bis zur Zeile mit END.',
  act: 'Datei prüfen',
  wanted: 'Wählen Sie eine Datei, oder fügen Sie ihren Text ein.',
  ofFile: '{file}: {text}',
  verdicts: {
    valid: 'Die Datei ist echt und gilt jetzt.',
    expired: 'Die Datei ist echt, aber ihre Zeit ist um. Der Kunde braucht eine neue.',
    early:
      'Die Datei ist echt, wurde aber später gemacht, als die Uhr dieses Computers sagt. Wo eine Uhr so weit nachgeht, wird die Datei abgelehnt.',
    other_product:
      'Die Datei ist echt, gehört aber zu einem anderen Produkt: {product}. {here} lehnt sie ab.',
    no_file: 'Das ist keine Lizenzdatei. Eine solche beginnt mit -----BEGIN LICENSE FILE-----.',
    damaged:
      'Das ist keine Lizenzdatei mehr: Ein Teil fehlt, oder in ihr oder um sie herum steht mehr. Lassen Sie sie noch einmal senden, als Datei.',
    unknown_algorithm:
      'Die Datei ist auf eine Weise signiert, die dieser Server nicht benutzt. Sie wurde nicht hier gemacht oder danach verändert.',
    changed: 'Die Datei wurde verändert, nachdem sie signiert war. Nichts von dem, was sie sagt, zählt.',
    unknown_key:
      'Kein Schlüssel von {product} hat diese Datei signiert. Ein anderer Server hat sie gemacht, oder ihre Zeit ist um und ihr Schlüssel nicht mehr gelistet.',
    foreign:
      'Die Datei sagt, dass sie zu einem Produkt gehört, das dieses Konto nicht hat: {product}. Ob sie echt ist, lässt sich hier nicht sagen.',
    no_crypto:
      'Dieser Browser kann die Signatur nicht prüfen. Dazu braucht es eine Seite mit https, und Chrome 137, Firefox 129, Safari 17 oder neuer.',
  },
  says: 'Was die Datei sagt',
  signature: 'Signatur',
  signed: 'Gültig',
  key: 'Schlüssel',
  keys: {
    current: 'signiert jetzt',
    next: 'signiert nach dem nächsten Wechsel',
    retired: 'früherer: signiert nicht mehr',
  },
  made: 'Gemacht',
  until: 'Gilt bis',
  over: 'Um',
  good: 'Gilt',
  ahead: 'Noch nicht',
  licenseEnds: 'Lizenz endet',
  atEnd: 'An ihrem Ende',
  blocks: 'Funktionen enden',
  goesOn: 'Funktionen bleiben, Updates enden',
  upTo: 'Bis zu {count}',
  whitelabeled: 'White Label',
  features: 'Funktionen',
  given: 'enthalten',
}
