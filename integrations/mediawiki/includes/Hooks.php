<?php

namespace UbikChat;

use Config;
use FormatJson;
use Html;
use MediaWiki\Hook\OutputPageParserOutputHook;
use MediaWiki\Hook\ParserFirstCallInitHook;
use OutputPage;
use Parser;
use ParserOutput;
use SpecialPage;

/**
 * Adds the tag `<ubikchat>`, and the scripts to pages that contain it.
 *
 * The HTML of the tag is the same for every visitor, because parsed pages are cached.
 */
class Hooks implements ParserFirstCallInitHook, OutputPageParserOutputHook {

	/** Marks the output of a page with a chat. */
	private const MARK = 'ubik-chat';

	private Config $config;

	public function __construct( Config $config ) {
		$this->config = $config;
	}

	/**
	 * @param Parser $parser
	 */
	public function onParserFirstCallInit( $parser ) {
		$parser->setHook( 'ubikchat', [ $this, 'renderTag' ] );
	}

	/**
	 * Renders `<ubikchat layout="inline" height="30rem" greeting="Hello" starters="One?|Two?" accent="#0a7d55" theme="dark" />`.
	 *
	 * @param string|null $text Content of the tag, which is ignored.
	 * @param string[] $attributes Written by an editor of the page.
	 * @param Parser $parser
	 * @return string HTML
	 */
	public function renderTag( $text, array $attributes, Parser $parser ): string {
		$parser->getOutput()->setExtensionData( self::MARK, true );
		$chat = Attributes::sanitize( $attributes );
		return Html::element( 'div', [
			'class' => 'ubik-chat-place',
			'data-chat' => FormatJson::encode( $chat ),
		] );
	}

	/**
	 * @param OutputPage $outputPage
	 * @param ParserOutput $parserOutput
	 */
	public function onOutputPageParserOutput( $outputPage, $parserOutput ): void {
		if ( !$parserOutput->getExtensionData( self::MARK ) ) {
			return;
		}
		$assets = $this->config->get( 'ExtensionAssetsPath' ) . '/UbikChat/resources/';
		$outputPage->addHeadItem( 'ubik-chat-config', $this->printConfig( $outputPage ) );
		$outputPage->addHeadItem(
			'ubik-chat-style',
			Html::element( 'link', [ 'rel' => 'stylesheet', 'href' => $assets . 'place-chats.css' ] )
		);
		foreach ( [ 'place-chats.js', 'elements/ubik-elements.min.js' ] as $script ) {
			$outputPage->addHeadItem(
				'ubik-chat-' . $script,
				Html::element( 'script', [ 'src' => $assets . $script, 'defer' => true ] )
			);
		}
	}

	/**
	 * The configuration for `place-chats.js`: a data block, which is not executed. It contains nothing about the visitor.
	 */
	private function printConfig( OutputPage $outputPage ): string {
		$rest = $this->config->get( 'RestPath' ) . '/ubik-chat/v1/';
		$config = [
			'baseUrl' => rtrim( $this->config->get( 'UbikChatServiceUrl' ), '/' ),
			'agentId' => $this->config->get( 'UbikChatAgentId' ),
			'session' => $rest . 'session',
			'token' => $rest . 'token',
			'signIn' => SpecialPage::getTitleFor( 'Userlogin' )->getLocalURL(),
			'signInReturn' => 'returnto',
			'signInPage' => $outputPage->getTitle()->getPrefixedDBkey(),
			'signInText' => $outputPage->msg( 'ubikchat-sign-in' )->text(),
			'failedText' => $outputPage->msg( 'ubikchat-failed' )->text(),
		];
		// Without `<` and `&`, no value can end the element.
		$json = json_encode( $config, JSON_HEX_TAG | JSON_HEX_AMP );
		return Html::rawElement( 'script', [ 'type' => 'application/json', 'class' => 'ubik-chat-config' ], $json );
	}
}
