import type { AnswerLanguage } from './languages.js';

/**
 * Names of the sample database in other languages. Each line is a place, in up to four fields that `;` separates: the English name, the
 * German one, the French one, and further names, adjectives and inflected forms, separated by a comma and a space. A German or French name
 * that is empty or missing is the same as the English one.
 */
const NAMES = `
Volga;Wolga
Danube;Donau
Ural;;Oural
Dnieper;Dnepr;Dniepr;Dnjepr, Dnipro River
Don
Pechora;Petschora;Petchora
Kama
Oka
Belaya;Belaja;Belaïa
Dniester;Dnister;Dniestr;Dnjestr
Vyatka;Wjatka;Viatka
Rhine;Rhein;Rhin;Rheins, Rheines
Desna;;;Dessna
Elbe
Donets;Donez;Donets;Donezk River
Vistula;Weichsel;Vistule
Daugava;Düna;Daugava
Loire
Tagus;Tajo;Tage;Tejo
Sava;Save;Save
Tisza;Theiß;Tisza;Tisa
Prut;Pruth;Prout
Neman;Memel;Niémen;Nemunas
Ebro;;Èbre
Meuse;Maas
Douro;Duero;Douro
Oder;;;Odra
Guadiana
Rhône;;;Rhone
Warta;Warthe;Warta
Southern Bug;Südlicher Bug;Boug méridional;Südlichen Bug, Boug
Mureș;Mieresch;Mureș;Maros
Seine
Göta älv;;;Gota alv
Drava;Drau;Drave
Guadalquivir
Po;;Pô
Glomma
Garonne
Kemijoki
Moselle;Mosel;Moselle
Main
Torne;Torneälv;Torne
Dalälven;Dalälv
Inn
Marne
Maritsa;Mariza;Maritsa;Evros
Weser
Vltava;Moldau;Vltava
Adige;Etsch;Adige
Tiber;;Tibre
Vardar;Wardar
Shannon
Severn
Scheldt;Schelde;Escaut
Thames;Themse;Tamise
Trent
Aare;;Aar
Arno
Neva;Newa;Neva
Austria;Österreich;Autriche;Austrian, österreichische, österreichischen, autrichien, autrichienne, autrichiens, autrichiennes, Österreichs
Bosnia and Herzegovina;Bosnien und Herzegowina;Bosnie-Herzégovine;Bosnia, Bosnien, Bosnie
Belgium;Belgien;Belgique;Belgian, belgische, belgischen, belge, belges, Belgiens
Bulgaria;Bulgarien;Bulgarie;Bulgarian
Belarus;;Biélorussie;Weißrussland, Bélarus
Switzerland;Schweiz;Suisse;Swiss, Schweizer, suisses
Czechia;Tschechien;Tchéquie;Czech Republic, Czech, République tchèque, tschechische, tschechischen
Germany;Deutschland;Allemagne;German, deutsche, deutschen, Deutschlands, allemand, allemande, allemands, allemandes
Spain;Spanien;Espagne;Spanish, spanische, spanischen, Spaniens, espagnol, espagnole, espagnols, espagnoles
Finland;Finnland;Finlande;Finnish, finnische, finnischen
France;Frankreich;France;French, französische, französischen, Frankreichs, français, française, françaises
United Kingdom;Vereinigtes Königreich;Royaume-Uni;UK, Britain, Great Britain, British, Großbritannien, Vereinigten Königreich, Grande-Bretagne, britannique, britanniques, britische, britischen
Greece;Griechenland;Grèce;Greek
Croatia;Kroatien;Croatie;Croatian
Hungary;Ungarn;Hongrie;Hungarian, ungarische, ungarischen, hongrois, hongroise, hongroises
Ireland;Irland;Irlande;Irish
Italy;Italien;Italie;Italian, italienische, italienischen, Italiens, italien, italienne, italiens, italiennes
Kazakhstan;Kasachstan;Kazakhstan
Liechtenstein
Lithuania;Litauen;Lituanie;Lithuanian
Luxembourg;Luxemburg;Luxembourg
Latvia;Lettland;Lettonie;Latvian
Moldova;Republik Moldau;Moldavie;Moldau
North Macedonia;Nordmazedonien;Macédoine du Nord;Macedonia, Mazedonien
Netherlands;Niederlande;Pays-Bas;Dutch, Holland, Niederlanden, niederländische, niederländischen, Hollande, néerlandais, néerlandaise
Norway;Norwegen;Norvège;Norwegian, norwegische, norwegischen
Poland;Polen;Pologne;Polish, polnische, polnischen, Polens, polonais, polonaise, polonaises
Portugal;;;Portuguese, portugiesische, portugiesischen, Portugals, portugais, portugaise
Romania;Rumänien;Roumanie;Romanian, rumänische, rumänischen
Serbia;Serbien;Serbie;Serbian
Russia;Russland;Russie;Russian, russische, russischen, Russlands, russe, russes
Sweden;Schweden;Suède;Swedish, schwedische, schwedischen, suédois
Slovenia;Slowenien;Slovénie;Slovenian
Slovakia;Slowakei;Slovaquie;Slovak
Türkiye;Türkei;Turquie;Turkey, Turkish
Ukraine;;;Ukrainian, ukrainische, ukrainischen
Vienna;Wien;Vienne;Wiens
Linz
Innsbruck
Graz
Bratislava;;;Pressburg
Budapest
Szeged
Belgrade;Belgrad;Belgrade
Novi Sad
Zagreb
Ljubljana;;;Laibach
Regensburg;;Ratisbonne
Ulm
Cologne;Köln;Cologne
Düsseldorf
Mainz;;Mayence
Frankfurt;;Francfort
Würzburg;;Wurtzbourg
Trier;;Trèves
Hamburg;;Hambourg
Dresden;;Dresde
Magdeburg;;Magdebourg
Bremen;;Brême
Berlin
Basel;;Bâle
Geneva;Genf;Genève
Bern;;Berne
Strasbourg;Straßburg;Strasbourg
Rotterdam
Maastricht
Liège;Lüttich;Liège
Antwerp;Antwerpen;Anvers
Ghent;Gent;Gand
Paris
Rouen
Lyon
Avignon
Bordeaux
Toulouse
Nantes
Orléans
Tours
Prague;Prag;Prague
Warsaw;Warschau;Varsovie
Kraków;Krakau;Cracovie;Cracow
Gdańsk;Danzig;Gdańsk
Wrocław;Breslau;Wrocław
Szczecin;Stettin;Szczecin
Poznań;Posen;Poznań
Kyiv;Kiew;Kiev
Dnipro
Moscow;Moskau;Moscou
Nizhny Novgorod;Nischni Nowgorod;Nijni Novgorod
Kazan;Kasan;Kazan
Volgograd;Wolgograd;Volgograd
Saint Petersburg;Sankt Petersburg;Saint-Pétersbourg;St Petersburg, Petersburg
Rostov-on-Don;Rostow am Don;Rostov-sur-le-Don
Perm
Riga
Kaunas
London;;Londres
Oxford
Nottingham
Gloucester
Limerick
Rome;Rom;Rome
Florence;Florenz;Florence
Turin
Verona;;Vérone
Zaragoza;Saragossa;Saragosse
Seville;Sevilla;Séville
Córdoba;;Cordoue
Toledo;;Tolède
Lisbon;Lissabon;Lisbonne
Porto
Badajoz
Skopje
Plovdiv;Plowdiw;Plovdiv
Edirne
Gothenburg;Göteborg;Göteborg
Rovaniemi
Fredrikstad
Sarajevo
Brussels;Brüssel;Bruxelles
Sofia
Minsk
Madrid
Helsinki
Athens;Athen;Athènes
Dublin
Astana
Vaduz
Vilnius
Chișinău;;;Kishinev
Amsterdam
Oslo
Bucharest;Bukarest;Bucarest
Stockholm
Ankara
Caspian Sea;Kaspisches Meer;mer Caspienne;Caspian, Kaspische Meer
Black Sea;Schwarzes Meer;mer Noire;Schwarze Meer, Schwarzen Meer
Sea of Azov;Asowsches Meer;mer d'Azov;Asowsche Meer
Barents Sea;Barentssee;mer de Barents
North Sea;Nordsee;mer du Nord
Baltic Sea;Ostsee;mer Baltique;Baltic, Baltique
Atlantic Ocean;Atlantischer Ozean;océan Atlantique;Atlantic, Atlantik, Atlantique, Atlantischen Ozean
Mediterranean Sea;Mittelmeer;mer Méditerranée;Mediterranean, Méditerranée
English Channel;Ärmelkanal;Manche;Channel
Kattegat
Skagerrak
Adriatic Sea;Adria;mer Adriatique;Adriatic, Adriatique, Adriatisches Meer, Adriatische Meer
Aegean Sea;Ägäis;mer Égée;Aegean
Tyrrhenian Sea;Tyrrhenisches Meer;mer Tyrrhénienne;Tyrrhenische Meer
Ligurian Sea;Ligurisches Meer;mer Ligure;Ligurische Meer
`;

/** Names of one place. */
interface PlaceNames {
  readonly de: string;
  readonly fr: string;
  readonly all: readonly string[];
}

const PLACES: ReadonlyMap<string, PlaceNames> = new Map(
  NAMES.trim()
    .split('\n')
    .map((line) => {
      const [english = '', german = '', french = '', others = ''] = line.split(';');
      const de = german || english;
      const fr = french || english;
      const all = [english, de, fr, ...others.split(', ')].filter((name) => name !== '');
      return [english, { de, fr, all: [...new Set(all)] }];
    }),
);

/** Names that are also common words: they count as names only with a capital letter. */
export const ALSO_WORDS: ReadonlySet<string> = new Set(
  'main po don inn oder tours perm save tage french german aar rom russe manche save drave channel polish'.split(
    ' ',
  ),
);

/** Returns all names of a place: in English, German and French, with variants. */
export function placeNamesOf(english: string): readonly string[] {
  return PLACES.get(english)?.all ?? [english];
}

/** Returns the name of a place in German or French; in the other languages, the English name. Texts that are not names of places stay as they are. */
export function namePlace(english: string, language: AnswerLanguage): string {
  if (language !== 'de' && language !== 'fr') return english;
  return PLACES.get(english)?.[language] ?? english;
}
