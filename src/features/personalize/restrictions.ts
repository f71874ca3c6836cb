/** What a word of a profile rules out, wherever it stands: diets, faiths, abstinence. */
export const RESTRICTIONS: Readonly<Record<string, string>> = {
  vegetarian: "meat beef pork chicken steak bacon ham sausage lamb turkey fish salmon tuna burger ribs",
  vegan:
    "meat beef pork chicken steak bacon ham sausage lamb turkey fish salmon tuna egg cheese milk butter honey cream",
  pescatarian: "meat beef pork chicken steak bacon ham sausage lamb turkey",
  halal: "pork bacon ham alcohol wine beer whisky cocktail",
  kosher: "pork bacon ham shrimp lobster shellfish",
  coeliac: "wheat bread pasta barley rye beer",
  celiac: "wheat bread pasta barley rye beer",
  sober: "alcohol wine beer whisky cocktail bar brewery",
  teetotal: "alcohol wine beer whisky cocktail bar brewery",
};

/** What is kept from those who are not of age. */
export const FOR_ADULTS =
  "alcohol wine beer whisky cocktail casino gambling betting adult nightclub tobacco vape";

/** In years. */
export const ADULT_AGE = 18;
