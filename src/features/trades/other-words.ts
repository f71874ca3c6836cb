const WORDS = `
accouter accouters adulteration adulterations adverting aeration aerations alliteration alliterations
altercation altercations alternation alternations auditory avocet avocets barbed barbet barbets barfing
barging barning betatter bistre cantering carcinologist chattery clattery cleanser cleansing constriction
constrictions contactor contactors contraction contractions cosmologist cratering creation creations
crenation denial dentel dentil dentils derailer derailing detail details drywell exodontist fascial
fatness faucial fecial flawing flooder flooding flouring flowed flowery flowing funebral garagey garbage
gating getters gusting gutsing guttlers hating hearer hearing hearting heather immobiliser immobilising
immobilizer immobilizing irritation irritations jeeling lawing laying medial message messages messaging
moders mortary paining palates panter panting paraquet paroquet pensione percing phonographer phonography
phytograph phytographer phytographs phytography piecer pirates plates pluming pointer pointing prenting
reactor reality redtail relator rerail retial rioter rioting roating rolfer rolfing rooster roosting
rooted rooter rooters rootier rooting rootling roting router routing safing seamstressy sorage sparke sparkly stager
staging starer staring stater stating staving stiffing storge strafer straffing strafing stuffing tailer
tailing tawing tewing toeing tosing toting towting towzing trowing underbaking underking undertake
undertaken undertakes undertaxing underwater
`;

/** English words that are one or two typing errors away from a trade and mean something else. */
export const OTHER_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
