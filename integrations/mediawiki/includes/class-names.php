<?php

/**
 * Defines the namespaced names of the classes of MediaWiki that this extension uses, in versions that have only the global names.
 * MediaWiki 1.40 to 1.43 have moved these classes, and later versions drop the global names.
 */

$names = [
	'MediaWiki\Config\Config' => 'Config',
	'MediaWiki\Context\RequestContext' => 'RequestContext',
	'MediaWiki\Html\Html' => 'Html',
	'MediaWiki\Output\OutputPage' => 'OutputPage',
	'MediaWiki\Request\WebRequest' => 'WebRequest',
	'MediaWiki\SpecialPage\SpecialPage' => 'SpecialPage',
	'Wikimedia\ObjectCache\BagOStuff' => 'BagOStuff',
];
foreach ( $names as $name => $globalName ) {
	if ( !class_exists( $name ) && !interface_exists( $name ) ) {
		class_alias( $globalName, $name );
	}
}
