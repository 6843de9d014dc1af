/** Words of the check of a license file. */
export const enFileCheck = {
  more: 'The license file that a customer has, or its text. It is checked in this browser and sent nowhere.',
  file: 'License file',
  fileHelp: 'Choose it, or drop it anywhere on this page.',
  text: 'Or its text',
  textHelp: 'From the line with BEGIN to the line with END.',
  act: 'Check the file',
  wanted: 'Choose a file, or paste its text.',
  ofFile: '{file}: {text}',
  verdicts: {
    valid: 'The file is genuine and good now.',
    expired: 'The file is genuine, but its time is over. The customer needs a new one.',
    early:
      'The file is genuine, but it was made later than this computer’s clock says. Where a clock is that far behind, the file is refused.',
    other_product: 'The file is genuine, but it is of another product: {product}. {here} refuses it.',
    no_file: 'This is no license file. One begins with -----BEGIN LICENSE FILE-----.',
    damaged:
      'This is no longer a license file: a part is missing, or there is more in it or around it. Have it sent again, as a file.',
    unknown_algorithm:
      'The file is signed in a way that this server does not use. It was not made here, or was changed since.',
    changed: 'The file was changed after it was signed. Nothing that it says counts.',
    unknown_key:
      'No key of {product} signed this file. It was made by another server, or its time is over and its key is no longer listed.',
    foreign:
      'The file says that it is of a product that this account does not have: {product}. Whether it is genuine cannot be told here.',
    no_crypto:
      'This browser cannot check the signature. It takes a page with https, and Chrome 137, Firefox 129, Safari 17 or later.',
  },
  says: 'What the file says',
  signature: 'Signature',
  signed: 'Valid',
  key: 'Key',
  keys: {
    current: 'signs now',
    next: 'signs after the next rotation',
    retired: 'former: signs no more',
  },
  made: 'Made',
  until: 'Good until',
  over: 'Over',
  good: 'Good',
  ahead: 'Not yet',
  licenseEnds: 'License ends',
  atEnd: 'At its end',
  blocks: 'Features stop',
  goesOn: 'Features stay, updates stop',
  upTo: 'Up to {count}',
  whitelabeled: 'White label',
  features: 'Features',
  given: 'included',
}

export type FileCheckTexts = typeof enFileCheck
