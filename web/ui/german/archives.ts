/** As `FAULTS`, for what is wrong with the archive of a version. */
export const ARCHIVES: Readonly<Record<string, string>> = {
  'does not begin as a ZIP file': 'beginnt nicht wie eine ZIP-Datei',
  'is damaged, or no ZIP file': 'ist beschädigt oder keine ZIP-Datei',
  'has no files in it': 'enthält keine Dateien',
  'has encrypted files': 'enthält verschlüsselte Dateien',
  'has a folder with content': 'enthält einen Ordner, der Inhalt hat',
  'has links or devices in it': 'enthält Verknüpfungen oder Geräte',
  'has two files of one name': 'enthält zwei Dateien mit demselben Namen',
  'has bytes that belong to no file': 'enthält Bytes, die zu keiner Datei gehören',
  'has files that share their bytes': 'enthält Dateien, die sich Bytes teilen',
  'has files that share their bytes with the list of entries':
    'enthält Dateien, die sich Bytes mit dem Verzeichnis teilen',
  'has a file that ends before its packed bytes do':
    'enthält eine Datei, die vor ihren gepackten Bytes endet',
  'has a file that is listed in the form for more than 4 GB':
    'enthält eine Datei, die in der Form für mehr als 4 GB verzeichnet ist',
  'has a file that some readers take for a folder':
    'enthält eine Datei, die manche Programme für einen Ordner halten',
  'has a file whose checksum is wrong': 'enthält eine Datei, deren Prüfsumme falsch ist',
  'has a file whose name is shown as another one':
    'enthält eine Datei, deren Name als ein anderer gezeigt wird',
  'has a file whose name leads elsewhere': 'enthält eine Datei, deren Name an einen anderen Ort führt',
  'has a file with a name that is too long': 'enthält eine Datei mit einem zu langen Namen',
  'has a list of entries that is too long': 'hat ein zu langes Verzeichnis',
  'has an end in which some readers find another list of entries':
    'hat ein Ende, in dem manche Programme ein anderes Verzeichnis finden',
  'has folders more than {depth} deep': 'enthält Ordner, die tiefer als {depth} liegen',
  'has more than {most} MB of extra fields': 'hat mehr als {most} MB an Zusatzfeldern',
  'has more than {most} entries': 'enthält mehr als {most} Dateien',
  'has more than {most} MB of files': 'enthält mehr als {most} MB an Dateien',
  'is packed in a way that is not known': 'ist auf eine Art gepackt, die nicht bekannt ist',
  'is packed more than {ratio} times smaller than its files':
    'ist auf weniger als ein {ratio}-tel seiner Dateien gepackt',
  'has {what} packed more than {ratio} times smaller once more: the last is {file}; pack them tighter or leave some out':
    'enthält Archive, die sich zusammen noch einmal mehr als {ratio}-fach packen lassen: zuletzt {file}; packen Sie sie besser oder lassen Sie einige weg',
  'has {what} packed more than {ratio} times smaller once more: {file}; pack it tighter or leave it out':
    'enthält ein Archiv, das sich noch einmal mehr als {ratio}-fach packen lässt: {file}; packen Sie es besser oder lassen Sie es weg',
  'takes too long to read': 'braucht zu lange, um gelesen zu werden',
  'takes too much memory to read': 'braucht zu viel Speicher, um gelesen zu werden',
  'has a plugin, a theme or the SDK in it where WordPress does not find it, which is in one folder at the top':
    'enthält ein Plugin, ein Theme oder das SDK, wo WordPress es nicht findet, also nicht in dem einen obersten Ordner',
  'must have everything in one folder, that of the plugin or theme; what is not for WordPress needs its version said, as version in data or by --tag':
    'muss alles in einem Ordner haben, dem des Plugins oder Themes; was nicht für WordPress ist, braucht eine genannte Version',
  'has no file with the header "{header}:" in its folder; what is not for WordPress needs its version said, as version in data or by --tag':
    'hat in seinem Ordner keine Datei mit der Kopfzeile „{header}:“; was nicht für WordPress ist, braucht eine genannte Version',
  'has an uninstall.php; register_uninstall_hook(), or after_uninstall of the SDK, takes its place':
    'enthält eine uninstall.php; an ihre Stelle tritt register_uninstall_hook() oder after_uninstall des SDK',
  'has code that is marked as premium or free in a file of more than 4 MB: {file}':
    'hat Code, der als Premium oder kostenlos markiert ist, in einer Datei von mehr als 4 MB: {file}',
  'has more than {most} parts that are marked as premium or free':
    'hat mehr als {most} Teile, die als Premium oder kostenlos markiert sind',
  'has a mark fs_{kind}_only without the other one that begins or ends its part':
    'hat eine Marke fs_{kind}_only ohne die andere, mit der ihr Teil beginnt oder endet',
  'has a tag <fs_premium_only> that is not in a comment of its own':
    'hat eine Marke <fs_premium_only>, die nicht in einem eigenen Kommentar steht',
  'has premium code after an "if" without braces': 'hat Premium-Code nach einem „if“ ohne Klammern',
  'has premium code in an "if" with "else" that is written without braces':
    'hat Premium-Code in einem „if“ mit „else“, das ohne Klammern geschrieben ist',
  'has premium code under a condition that is too long to follow':
    'hat Premium-Code unter einer Bedingung, die zu lang ist, um ihr zu folgen',
  'has premium code whose end cannot be found': 'hat Premium-Code, dessen Ende nicht zu finden ist',
  'names more than {most} paths that are for one build only':
    'nennt mehr als {most} Pfade, die nur für eine Ausgabe sind',
}
