/** What the server says of a field, with `{name}` for what it fills in, and the same in German, to follow a name. */
export const FAULTS: Readonly<Record<string, string>> = {
  'is required': 'darf nicht fehlen',
  'must be given once': 'darf nur einmal angegeben sein',
  'must be string': 'muss Text sein',
  'must be text': 'muss Text sein',
  'must be boolean': 'muss ja oder nein sein',
  'must be true or false': 'muss ja oder nein sein',
  'must be integer': 'muss eine ganze Zahl sein',
  'must be number': 'muss eine Zahl sein',
  'must be array': 'muss eine Liste sein',
  'must be object': 'muss ein Objekt sein',
  'must be 0 or 1': 'muss 0 oder 1 sein',
  'must be >= {least}': 'muss mindestens {least} sein',
  'must be <= {most}': 'darf höchstens {most} sein',
  'must be one of {choices} for a bundle': 'muss bei einem Bundle eines von diesen sein: {choices}',
  'must be one of this server': 'muss eine Adresse dieses Servers sein',
  'must be one of {choices}': 'muss eines von diesen sein: {choices}',
  'must match pattern {pattern}': 'muss dem Muster {pattern} entsprechen',
  'must not have fewer than 1 characters': 'darf nicht leer sein',
  'must not have fewer than 1 items': 'darf nicht leer sein',
  'must not have fewer than {least} characters': 'muss mindestens {least} Zeichen haben',
  'must not have fewer than {least} items': 'muss mindestens {least} Einträge haben',
  'must not have more than {most} characters': 'darf höchstens {most} Zeichen haben',
  'must not have more than {most} items': 'darf höchstens {most} Einträge haben',
  'must have {least} characters or more': 'muss mindestens {least} Zeichen haben',
  'must have at least {least} characters': 'muss mindestens {least} Zeichen haben',
  'must have at most {most} characters': 'darf höchstens {most} Zeichen haben',
  'must begin with a first name of at most {most} characters':
    'muss mit einem Vornamen von höchstens {most} Zeichen beginnen',
  'must end with a last name of at most {most} characters':
    'muss mit einem Nachnamen von höchstens {most} Zeichen enden',
  'must have at most {most} bytes': 'darf höchstens {most} Bytes haben',
  'must have at most {most} pixels': 'darf höchstens {most} Bildpunkte haben',
  'must have at most two decimals': 'darf höchstens zwei Nachkommastellen haben',
  'must have 6 digits': 'muss 6 Ziffern haben',
  'must have 9 digits': 'muss 9 Ziffern haben',
  'must have 8 or 11 letters and digits': 'muss 8 oder 11 Buchstaben und Ziffern haben',
  'must have 4 to 34 letters and digits, and end in four digits':
    'muss 4 bis 34 Buchstaben und Ziffern haben und mit vier Ziffern enden',
  'must be four letters, 0, and six letters or digits':
    'muss aus vier Buchstaben, 0 und sechs Buchstaben oder Ziffern bestehen',
  'must be {count} characters': 'muss {count} Zeichen haben',
  'must not be empty': 'darf nicht leer sein',
  'must not be null without a price in another cycle':
    'darf nicht leer sein, solange es keinen Preis für einen anderen Zeitraum gibt',
  'must not be one character, repeated': 'darf nicht aus einem einzigen Zeichen bestehen',
  'is one of the most common passwords': 'ist eines der häufigsten Passwörter',
  'must not have control or direction characters': 'darf keine Steuerzeichen enthalten',
  'must be visible characters, not only spaces': 'muss sichtbare Zeichen haben, nicht nur Leerzeichen',
  'must have letters, digits, hyphens and underscores only':
    'darf nur Buchstaben, Ziffern, Bindestriche und Unterstriche enthalten',
  'must have letters, digits, dots, hyphens and underscores only':
    'darf nur Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche enthalten',
  'is not valid UTF-8': 'ist kein gültiges UTF-8',
  'must be a valid email address': 'muss eine gültige E-Mail-Adresse sein',
  'must be a valid email address, or empty': 'muss eine gültige E-Mail-Adresse oder leer sein',
  'must be an IPv4 or IPv6 address': 'muss eine IPv4- oder IPv6-Adresse sein',
  'must be an https address': 'muss eine https-Adresse sein',
  'must be an http or https address': 'muss eine http- oder https-Adresse sein',
  'must be an http or https address, or empty': 'muss eine http- oder https-Adresse oder leer sein',
  'must be an address of the internet, or one that KEYWRIGHT_WEBHOOK_ALLOW lists':
    'muss eine Adresse im Internet sein oder eine, die KEYWRIGHT_WEBHOOK_ALLOW nennt',
  'must be a host name in lower case, with its port where that is not the usual one':
    'muss ein Hostname in Kleinbuchstaben sein, mit dem Port, wenn es nicht der übliche ist',
  'must be the whole name of a host, without *': 'muss der ganze Name eines Hosts sein, ohne *',
  'must be a host, with at most {most} stars': 'muss ein Host sein, mit höchstens {most} Sternen',
  'must name sites that are called dev, test, staging or alike':
    'muss Installationen nennen, die dev, test, staging oder ähnlich heißen',
  'must be https, and lead to a host on the list of the product':
    'muss mit https beginnen und zu einem Host auf der Liste des Produkts führen',
  'must lead to a host on the list of the product': 'muss zu einem Host auf der Liste des Produkts führen',
  'must lead to a site of the user or to a host on the list of the product':
    'muss zu einer Installation des Kunden oder zu einem Host auf der Liste des Produkts führen',
  'must lead to the site or to a host on the list of the product':
    'muss zur Installation oder zu einem Host auf der Liste des Produkts führen',
  'must lead to the host of {site}': 'muss zum Host von {site} führen',
  'must have http or https addresses under screenshot_0, screenshot_1, … only':
    'darf nur http- oder https-Adressen haben, unter screenshot_0, screenshot_1, …',
  'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD':
    'muss ein Tag JJJJ-MM-TT sein, oder eine Zeit JJJJ-MM-TT HH:MM:SS in UTC',
  'must be a time, YYYY-MM-DD HH:MM:SS': 'muss eine Zeit sein, JJJJ-MM-TT HH:MM:SS',
  'must be YYYY-MM-DD HH:MM:SS in UTC': 'muss eine Zeit in UTC sein, JJJJ-MM-TT HH:MM:SS',
  'must be a day, YYYY-MM-DD': 'muss ein Tag sein, JJJJ-MM-TT',
  'must be a month, YYYY-MM': 'muss ein Monat sein, JJJJ-MM',
  'must not be before from': 'darf nicht vor dem Anfang liegen',
  'must be less than {most} days after from': 'muss weniger als {most} Tage nach dem Anfang liegen',
  'must be less than {most} months after from': 'muss weniger als {most} Monate nach dem Anfang liegen',
  'must be less than {most} intervals after from':
    'muss weniger als {most} Abschnitte nach dem Anfang liegen',
  'must be before end_date': 'muss vor dem Ende liegen',
  'must be after start_date': 'muss nach dem Anfang liegen',
  'must be a duration of ISO 8601 in whole numbers, such as P1M':
    'muss eine Dauer nach ISO 8601 in ganzen Zahlen sein, wie P1M',
  'cannot be given beside target': 'ist nicht neben dem Ziel anzugeben',
  'must lie between now and the end of the trial period, {last}':
    'muss zwischen jetzt und dem Ende der Testphase liegen, {last}',
  'must be a time zone, such as UTC or Europe/Berlin': 'muss eine Zeitzone sein, wie UTC oder Europe/Berlin',
  'must be a version such as 1.2, 1.2.3 or 2.0.0-beta.1':
    'muss eine Version sein, wie 1.2, 1.2.3 oder 2.0.0-beta.1',
  'must be the code of a country (ISO 3166-1, two letters), or empty':
    'muss der Code eines Landes (ISO 3166-1, zwei Buchstaben) oder leer sein',
  'must be a country, by its name or code (ISO 3166-1)':
    'muss ein Land sein, mit Namen oder Code (ISO 3166-1)',
  'must be a state of its country, by its code or name (ISO 3166-2)':
    'muss ein Bundesstaat des Landes sein, mit Code oder Namen (ISO 3166-2)',
  'must be the code of a state of the country (ISO 3166-2)':
    'muss der Code eines Bundesstaats des Landes sein (ISO 3166-2)',
  'must be a country whose tax is known': 'muss ein Land sein, dessen Steuer bekannt ist',
  'must be countries, regions such as US-CA, or EU; number {number} is none':
    'muss aus Ländern, Regionen wie US-CA oder EU bestehen; das ist Nummer {number} nicht',
  'has not the form that its country wants': 'hat nicht die Form, die das Land verlangt',
  'must be a JPG, PNG or GIF picture': 'muss ein Bild als JPG, PNG oder GIF sein',
  'must be a whole JPG, PNG or GIF picture': 'muss ein ganzes Bild als JPG, PNG oder GIF sein',
  'has a card number': 'enthält eine Kartennummer',
  'is not known here': 'ist hier nicht bekannt',
  'is not known here; did you mean {name}?': 'ist hier nicht bekannt; meinten Sie {name}?',
}
